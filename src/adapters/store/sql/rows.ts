import * as z from 'zod';
import { ArtifactInfo } from '../../../domain/ticket/artifacts.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { type InboxEntry, type InboxKind, InboxOutcome, inboxBodies } from '../../../domain/ticket/inbox.ts';
import { StatusName, Ticket } from '../../../domain/ticket/ticket.ts';
import type { Database } from './database.ts';

export const Stored = z.union([z.string(), z.instanceof(Uint8Array)]);
export function parseJson(text: string): unknown {
  return JSON.parse(text);
}

export const JournalColumns = z.object({
  ticket: z.string(),
  seq: z.number(),
  prev_hash: z.string(),
  hash: z.string(),
  at: z.number(),
  epoch: z.number(),
  entry: Stored,
  // A read-only database may be older.
  covers: Stored.nullable().default(null),
});

export const Covers = z.record(z.string(), z.string().nullable());
export type Covers = Readonly<z.infer<typeof Covers>>;

export const TicketColumns = z.object({
  id: z.string(),
  status: StatusName,
  revision: z.number(),
  body: z.string(),
});
export const TicketBody = Ticket.omit({ id: true, status: true, revision: true });

export const RunColumns = z.object({
  id: z.string(),
  ticket: z.string(),
  state: z.enum(['open', 'closed', 'superseded', 'archived']),
  exit: z.string().nullable(),
  continued_seq: z.number(),
  status: z.string(),
  parent: z.string().nullable(),
  entry: Stored,
});

export const StepColumns = z.object({
  run: z.string(),
  key: z.string(),
  state: z.enum(['intent', 'done', 'failed']),
  intent_seq: z.number(),
  notes: z.string(),
  active_ms: z.number(),
  ticket: z.string(),
  entry: Stored.nullable(),
});
export const Seqs = z.array(z.number().int());

export const ArtifactColumns = ArtifactInfo.omit({ createdAt: true, archived: true }).extend({
  created_at: z.number(),
  archived: z.number(),
});

const firstNumber = 1_000_000_000;
const NewestRow = z.object({ type: z.string(), newest: z.string() });

/** A ticket's newest artifact of each type. In one pass: the greatest version and its hash as one text. */
export function newestArtifacts(
  database: Database,
  ticket: string,
): readonly { readonly type: string; readonly sha256: string; readonly version: number }[] {
  return database
    .rows(
      NewestRow,
      `SELECT type, max(CAST(version + ${firstNumber} AS TEXT) || sha256) AS newest FROM artifacts
       WHERE ticket = ? AND archived = 0 GROUP BY type ORDER BY type`,
      ticket,
    )
    .map(({ type, newest }) => ({
      type,
      version: Number(newest.slice(0, 10)) - firstNumber,
      sha256: newest.slice(10),
    }));
}

const KindName = z.custom<InboxKind>(
  (value) => typeof value === 'string' && Object.hasOwn(inboxBodies, value),
);
/** Parsed when consumed: one that doesn't parse must not hide the others. */
export const InboxRow = z
  .object({
    id: z.string(),
    ticket: z.string(),
    kind: KindName,
    body: z.custom<InboxEntry['body']>((value) => value !== undefined),
    postedAt: z.number(),
    state: z.enum(['pending', 'consumed', 'refused']),
    outcome: InboxOutcome.nullable(),
    seal: z.string().nullable().default(null),
  })
  .transform(({ seal, ...row }): InboxEntry => (seal === null ? row : { ...row, seal }));
export const InboxColumns = z.object({
  id: z.string(),
  ticket: z.string(),
  kind: z.string(),
  body: Stored,
  posted_at: z.number(),
  state: z.string(),
  outcome: z.string().nullable(),
  // A read-only database may be older.
  seal: z.string().nullable().default(null),
});

export const CallContents = z.looseObject({ plan: Stored, input: Stored, output: Stored });

export const UsageColumns = z
  .object({
    run: z.string(),
    messageId: z.string(),
    model: z.string(),
    input: z.number(),
    output: z.number(),
    reasoning: z.number(),
    cacheRead: z.number(),
    cacheWrite: z.number(),
    cost: z.number(),
    estimated: z.number(),
    call: z.string().nullable(),
    firstPrompt: z.number().nullable(),
    firstRead: z.number().nullable(),
    firstWrite: z.number().nullable(),
  })
  .transform(
    ({ estimated, firstPrompt: prompt, firstRead: cacheRead, firstWrite: cacheWrite, ...usage }) => ({
      ...usage,
      ...(estimated === 1 ? { estimated: true } : {}),
      ...(prompt === null || cacheRead === null
        ? {}
        : { first: { prompt, cacheRead, ...(cacheWrite === null ? {} : { cacheWrite }) } }),
    }),
  );

/**
 * Says why a row is unreadable: no version writes it, or its page is damaged. Undefined for errors that say
 * nothing about it.
 */
export function damageIn(error: unknown): string | undefined {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`.replace(/^: /, '');
  }
  if (error instanceof SyntaxError) return 'it is no JSON';
  if (error instanceof BeadsmithError)
    return error.code === 'DATABASE_CORRUPT' ? String(error.args['reason']) : undefined;
  return error instanceof Error && /malformed JSON|bad JSON path/i.test(error.message)
    ? 'it is no JSON'
    : undefined;
}

/** Throws TICKET_DAMAGED, so that other tickets aren't taken for damaged. */
export function readingTicket<T>(ticket: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const reason = damageIn(error);
    if (reason === undefined) throw error;
    throw new BeadsmithError('TICKET_DAMAGED', { ticket, reason }, { cause: error });
  }
}
