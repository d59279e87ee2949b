import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { RequestRecord } from '../../src/demo/scriptedServer.ts';

const Report = z.object({
  ticket: z.string(),
  status: z.string(),
  worktree: z.string().nullable(),
  branch: z.string().nullable(),
  evidence: z.array(
    z.object({
      of: z.string(),
      command: z.string(),
      exitCode: z.number().nullable(),
      durationMs: z.number(),
    }),
  ),
  pullRequest: z.object({ location: z.string().nullable() }).nullable(),
  journal: z.looseObject({ ok: z.boolean(), length: z.number().optional() }),
});
const Ticket = z.object({ id: z.string() });
const Document = z.object({ content: z.string() });
const Matrix = z.object({
  criteria: z.array(z.object({ id: z.string() })),
  holes: z.array(z.object({ text: z.string() })),
});
const Used = z.object({ total: z.object({ tokens: z.number(), cacheRead: z.number() }) });
const CliEvent = z.looseObject({ type: z.string() });

/** A missing trailer is empty. */
interface Commit {
  readonly sha: string;
  readonly subject: string;
  readonly ticket: string;
  readonly bead: string;
  readonly iteration: string;
}

interface Places {
  readonly folder: string;
  readonly repository: string;
  /** Requests to the scripted model. */
  readonly log: string;
  /** Bodies of the requests, by number. */
  readonly bodies: string;
  readonly base: string;
  readonly before: ReturnType<typeof checkoutState>;
}

export interface DemoFacts extends Places {
  readonly report: z.infer<typeof Report> | undefined;
  readonly interview: string | undefined;
  readonly matrix: z.infer<typeof Matrix> | undefined;
  readonly booked: Booked | undefined;
  readonly requests: readonly RequestRecord[];
  readonly commits: readonly Commit[];
}

export function gatherFacts(cli: string, places: Places): DemoFacts {
  const { repository, log, base } = places;
  const ticket = readEvent(cli, repository, ['list'], 'ticket', Ticket)?.id;
  const show = <T>(type: string, schema: z.ZodType<T>, ...words: readonly string[]): T | undefined =>
    ticket === undefined ? undefined : readEvent(cli, repository, ['show', ticket, ...words], type, schema);
  const report = show('report', Report);
  return {
    ...places,
    report,
    interview: show('document', Document, 'interview')?.content,
    matrix: show('matrix', Matrix, '--matrix'),
    booked: ticket === undefined ? undefined : bookedOf(cli, repository, ticket),
    requests: readLog(log),
    commits: commitsOf(repository, base, report?.branch),
  };
}

export function readLog(log: string): readonly RequestRecord[] {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
  return lines.map((line) => RequestRecord.parse(JSON.parse(line)));
}

export function statusOf(cli: string, repository: string, ticket: string): string | undefined {
  return readEvent(cli, repository, ['show', ticket], 'report', Report)?.status;
}

export function bookedOf(cli: string, repository: string, ticket: string): Booked | undefined {
  return readEvent(cli, repository, ['usage', ticket], 'usage', Used)?.total;
}

export function checkoutState(repository: string) {
  return {
    head: git(repository, 'rev-parse', 'HEAD'),
    branch: git(repository, 'symbolic-ref', 'HEAD'),
    index: git(repository, 'ls-files', '--stage'),
    status: git(repository, 'status', '--porcelain', '--untracked-files=all'),
  };
}

export function git(folder: string, ...args: readonly string[]): string {
  // Without optional locks: a check must not refresh the index it reads.
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0' };
  return execFileSync('git', ['-C', folder, ...args], {
    encoding: 'utf8',
    env,
    maxBuffer: 64 * 1024 * 1024,
  }).trim();
}

function commitsOf(repository: string, base: string, branch: string | null | undefined): readonly Commit[] {
  if (branch === undefined || branch === null) return [];
  const trailer = (name: string): string => `%(trailers:key=${name},valueonly,separator=%x20)`;
  const format = ['%H', '%s', trailer('Ticket'), trailer('Bead'), trailer('Iteration')].join('%x1f');
  const lines = git(repository, 'log', '--reverse', `--format=${format}`, `${base}..refs/heads/${branch}`)
    .split('\n')
    .filter(Boolean);
  return lines.map((line) => {
    const [sha = '', subject = '', ticket = '', bead = '', iteration = ''] = line.split('\x1f');
    return { sha, subject, ticket, bead, iteration };
  });
}

export function documentOf(cli: string, repository: string, ticket: string, kind: string): string {
  return readEvent(cli, repository, ['show', ticket, kind], 'document', Document)?.content ?? '';
}

/** The first event of this type that a command prints. */
function readEvent<T>(
  cli: string,
  repository: string,
  words: readonly string[],
  wanted: string,
  schema: z.ZodType<T>,
): T | undefined {
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    [cli, ...words, '--repo', repository, '--json'],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (status !== 0)
    console.error(`beadsmith ${words.join(' ')} ended with ${String(status)}: ${stderr.trim()}`);
  const events = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => CliEvent.parse(JSON.parse(line)));
  const event = events.find(({ type }) => type === wanted);
  return event && schema.parse(event);
}

/** `cacheRead`: tokens from caches. */
interface Booked {
  readonly tokens: number;
  readonly cacheRead: number;
}

export interface DemoCheck {
  readonly name: string;
  readonly ok: boolean;
  /** The observed value. */
  readonly detail: string;
}

/** The ledger equals what the scripted model counted (docs/decisions/144-usage-ledger.md). */
export function ledgerCheck(
  ticket: string,
  booked: Booked | undefined,
  requests: readonly Pick<RequestRecord, 'tokens'>[],
): DemoCheck {
  const sum = (pick: (tokens: RequestRecord['tokens']) => number): number =>
    requests.reduce((total, { tokens }) => total + pick(tokens), 0);
  const counted = {
    tokens: sum(({ prompt, completion }) => prompt + completion),
    cacheRead: sum(({ cached }) => cached),
  };
  const ok =
    booked?.tokens === counted.tokens && booked.cacheRead === counted.cacheRead && counted.tokens > 0;
  const said = (of: Booked | undefined): string =>
    of ? `${String(of.tokens)} tokens, ${String(of.cacheRead)} of them from a cache` : 'nothing';
  return {
    name: `the ledger of ${ticket} holds what the model counted, to the token`,
    ok,
    detail: ok ? said(booked) : `the ledger: ${said(booked)}; the model: ${said(counted)}`,
  };
}
