import * as z from 'zod';
import { canonicalJson } from '../../base/json.ts';
import { sha256 } from '../../base/sha256.ts';
import { limitsBehind } from '../beads/limitsBehind.ts';
import type { LimitName, LimitsChange } from '../settings/limits.ts';
import { usedIn } from '../usage/budgets.ts';
import { PendingRequest } from './agentRequest.ts';
import { ErrorRecord } from '../core/errors.ts';
import { CommitSha, Sha256, TicketId } from '../core/ids.ts';
import { Limits, StoredSettings } from '../settings/settings.ts';
import { IssueOrigin } from '../forge/issue.ts';
import { ForgeState } from '../forge/forgeLook.ts';
import { longestDescription } from '../description/ticketText.ts';
import { type Status, workflow } from '../workflow/workflow.ts';

const controlCharacters = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/u;

/** A workflow status. */
export const StatusName = z.custom<Status>(
  (value) => typeof value === 'string' && Object.hasOwn(workflow, value),
  'That is no status.',
);

/** Problems of a ticket's input, for translation. */
export const ticketInputTexts = {
  noTitle: 'A ticket needs a title.',
  longTitle: 'A title has 200 characters at most.',
  titleOfLines: 'A title is one line without control characters.',
  longDescription: 'A description has 1,000,000 characters at most.',
  controlCharacters: 'A description may not hold control characters other than tabs and line ends.',
} as const;

/**
 * A ticket's input: a one-line title, Markdown of a million characters at most, without control characters,
 * which `cleanedText` removes before.
 */
export const TicketInput = z.object({
  title: z
    .string()
    .trim()
    .min(1, ticketInputTexts.noTitle)
    .max(200, ticketInputTexts.longTitle)
    .refine((text) => !/\p{Cc}/u.test(text), ticketInputTexts.titleOfLines),
  description: z
    .string()
    .max(longestDescription, ticketInputTexts.longDescription)
    .refine((text) => !controlCharacters.test(text), ticketInputTexts.controlCharacters)
    .default(''),
  priority: z.number().int().min(1).max(5).default(3),
});
export type TicketInput = z.input<typeof TicketInput>;

/** The content of a draft's edit. Without a priority, it stays. */
export const DraftEdit = TicketInput.pick({ title: true, description: true }).extend({
  priority: TicketInput.shape.priority.unwrap().optional(),
});

/** Names of holds. */
export const holdLabels = {
  question: 'Agent question',
  permission: 'Agent permission request',
  quota: 'Over quota',
  budget: 'Over budget',
  paused: 'Paused',
  offline: 'Provider unavailable',
  disk: 'Disk full',
  queue: 'Waiting for another ticket',
} as const;
const HoldKind = z.enum(Object.keys(holdLabels) as (keyof typeof holdLabels)[]);
/**
 * `request`: of a `question` or `permission`. `until`: the end in milliseconds since 1970; `chosen`: a
 * person's. `place`: in a `queue`, lower first; the detail names the tickets before it.
 */
export const Hold = z.object({
  kind: HoldKind,
  since: z.number(),
  detail: z.string(),
  request: PendingRequest.optional(),
  until: z.number().optional(),
  chosen: z.boolean().optional(),
  place: z.number().optional(),
});
export type Hold = z.infer<typeof Hold>;

/** The name of a hold; its kind, where a newer version knows others. */
export function holdLabel(kind: string): string {
  return Object.entries(holdLabels).find(([known]) => known === kind)?.[1] ?? kind;
}

/** True if the hold waits for a provider or its server until a time. */
export function waitsForProvider({ kind }: { readonly kind: string }): boolean {
  return kind === 'quota' || kind === 'offline';
}

/** The budget that pauses a ticket, with its use, if these limits don't raise it above that. */
export function lowBudget(
  { hold, error, previousStatus }: Pick<Ticket, 'hold' | 'error' | 'previousStatus'>,
  limits: LimitsChange,
): { readonly name: LimitName; readonly used: number } | undefined {
  if (hold?.kind !== 'budget' || !error) return undefined;
  const used = usedIn(error);
  const name = limitsBehind(error, previousStatus).find(
    (one) => (limits[one] ?? 0) > 0 && (limits[one] ?? 0) <= used,
  );
  return name && { name, used };
}

/**
 * True if an open step holds a ticket, so that the driver enters it again. A budget ends the step, even when
 * it holds until tomorrow.
 */
export function isHeldByStep(hold: Hold | null): boolean {
  if (hold?.kind === 'budget') return false;
  return hold?.request !== undefined || hold?.until !== undefined;
}

const passingHolds: readonly string[] = ['quota', 'offline', 'queue'] satisfies readonly Hold['kind'][];

/** True if a ticket with this hold continues by itself. */
export function passesByItself(hold: string | null): boolean {
  return hold !== null && passingHolds.includes(hold);
}

/** An entry into a status: by creation, an exit, or an action with its body. */
export const RunEntry = z.object({ by: z.string(), body: z.unknown() });
export type RunEntry = z.infer<typeof RunEntry>;

/** A stored ticket. Times are milliseconds since 1970; `revision` rises with every status change. */
export const Ticket = z.object({
  id: TicketId,
  title: z.string(),
  description: z.string(),
  priority: z.number().int(),
  status: StatusName,
  previousStatus: StatusName.nullable(),
  revision: z.number().int(),
  /** Current attempts by status; absent = 1. */
  attempts: z.record(z.string(), z.number().int()),
  settings: StoredSettings.nullable(),
  limits: Limits.nullable(),
  baseBranch: z.string().nullable(),
  baseCommit: CommitSha.nullable(),
  branch: z.string().nullable(),
  worktree: z.string().nullable(),
  entry: RunEntry,
  hold: Hold.nullable(),
  error: ErrorRecord.nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  startedAt: z.number().nullable(),
  /** The issue that it was imported from. */
  origin: IssueOrigin.optional(),
  crashes: z.array(z.object({ place: z.string(), at: z.number() })).optional(),
  /** Its published pull request. */
  forge: ForgeState.optional(),
});
export type Ticket = z.infer<typeof Ticket>;

/** The hash of title and description: the basis of draft edits and interview-less PRDs. */
export function ticketTextHash({ title, description }: Pick<Ticket, 'title' | 'description'>): string {
  return sha256(canonicalJson({ title, description }));
}

/** Fields that a handler may change with its exit, in one transaction. */
export type TicketPatch = Partial<
  Pick<
    Ticket,
    | 'title'
    | 'description'
    | 'priority'
    | 'settings'
    | 'limits'
    | 'baseBranch'
    | 'baseCommit'
    | 'branch'
    | 'worktree'
    | 'startedAt'
    | 'forge'
  >
>;

/** A ticket at a run's start. Handlers see nothing newer except through steps. */
export const TicketSnapshot = Ticket.extend({
  attempt: z.number().int(),
  artifacts: z.record(z.string(), z.object({ sha256: Sha256, version: z.number().int() })),
});
export type TicketSnapshot = z.infer<typeof TicketSnapshot>;
