import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { RequestRecord } from '../scriptedServer.ts';

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

/** A commit with the trailers that say which bead it is; a trailer it doesn't have is empty. */
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
  /** The requests that the scripted model got. */
  readonly log: string;
  /** A folder with the body of each of them, by its number. */
  readonly bodies: string;
  /** The commit that the ticket started from. */
  readonly base: string;
  readonly before: ReturnType<typeof checkoutState>;
}

/** Everything the checks and the summary need. */
export interface DemoFacts extends Places {
  readonly report: z.infer<typeof Report> | undefined;
  readonly interview: string | undefined;
  readonly matrix: z.infer<typeof Matrix> | undefined;
  readonly booked: Booked | undefined;
  readonly requests: readonly RequestRecord[];
  readonly commits: readonly Commit[];
}

/** Read through the command line tool, git and the request log. */
export function gatherFacts(cli: string, places: Places): DemoFacts {
  const { repository, log, base } = places;
  const read = <T>(type: string, schema: z.ZodType<T>, ...words: readonly string[]): T | undefined => {
    const event = cliEvents(cli, repository, words).find((one) => one.type === type);
    return event && schema.parse(event);
  };
  const ticket = read('ticket', Ticket, 'list')?.id;
  const report = ticket === undefined ? undefined : read('report', Report, 'show', ticket);
  const interview =
    ticket === undefined ? undefined : read('document', Document, 'show', ticket, 'interview')?.content;
  const matrix = ticket === undefined ? undefined : read('matrix', Matrix, 'show', ticket, '--matrix');
  const booked = ticket === undefined ? undefined : bookedOf(cli, repository, ticket);
  return {
    ...places,
    report,
    interview,
    matrix,
    booked,
    requests: readLog(log),
    commits: commitsOf(repository, base, report?.branch),
  };
}

/** The requests that a scripted model wrote to its log; none without one. */
export function readLog(log: string): readonly RequestRecord[] {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
  return lines.map((line) => RequestRecord.parse(JSON.parse(line)));
}

/** The status of a ticket; undefined where there is none. */
export function statusOf(cli: string, repository: string, ticket: string): string | undefined {
  const event = cliEvents(cli, repository, ['show', ticket]).find(({ type }) => type === 'report');
  return event && Report.parse(event).status;
}

/** Returns a ticket's usage as the ledger has it; undefined where it can't be read. */
export function bookedOf(cli: string, repository: string, ticket: string): Booked | undefined {
  const event = cliEvents(cli, repository, ['usage', ticket]).find(({ type }) => type === 'usage');
  return event && Used.parse(event).total;
}

/** Returns the state of the user's checkout: the position of HEAD, the index, and the status. */
export function checkoutState(repository: string) {
  return {
    head: git(repository, 'rev-parse', 'HEAD'),
    branch: git(repository, 'symbolic-ref', 'HEAD'),
    index: git(repository, 'ls-files', '--stage'),
    status: git(repository, 'status', '--porcelain', '--untracked-files=all'),
  };
}

/** Returns the output of git, trimmed. Throws where git fails. */
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

/** A document of a ticket; empty where there is none. */
export function documentOf(cli: string, repository: string, ticket: string, kind: string): string {
  const event = cliEvents(cli, repository, ['show', ticket, kind]).find(({ type }) => type === 'document');
  return event ? Document.parse(event).content : '';
}

/** The events that a command prints with --json; none of one that fails. */
function cliEvents(
  cli: string,
  repository: string,
  words: readonly string[],
): readonly z.infer<typeof CliEvent>[] {
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    [cli, ...words, '--repo', repository, '--json'],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (status !== 0)
    console.error(`beadsmith ${words.join(' ')} ended with ${String(status)}: ${stderr.trim()}`);
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => CliEvent.parse(JSON.parse(line)));
}

/** The tokens of a ticket as its ledger has them. `cacheRead`: the part of them that caches gave. */
interface Booked {
  readonly tokens: number;
  readonly cacheRead: number;
}

interface LedgerCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

/**
 * The ledger of a ticket holds what the scripted model itself counted for its requests, to the token
 * (docs/decisions/144-usage-ledger.md).
 */
export function ledgerCheck(
  ticket: string,
  booked: Booked | undefined,
  requests: readonly Pick<RequestRecord, 'tokens'>[],
): LedgerCheck {
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
