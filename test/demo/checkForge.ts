import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as z from 'zod';
import { talkOf } from '../support/forge/commentEndpoints.ts';
import type { StandInPull, StandInRepository } from '../support/forge/endpoints.ts';
import type { ForgeStandIn } from '../support/forge/forgeStandIn.ts';
import type { DemoProcesses } from './demoProcesses.ts';
import { type DemoCheck, git } from './facts.ts';
import { loginFile, Person, type ReadmeCheck } from './forgePeople.ts';
import { criteria, fixBeads, issue } from './forgeScript.ts';

export interface ForgeFacts {
  readonly folder: string;
  /** Of the checkout. */
  readonly root: string;
  readonly forge: ForgeStandIn;
  readonly repository: StandInRepository;
  readonly readme: ReadmeCheck;
  readonly pull: StandInPull;
  /** The commit whose check failed. */
  readonly redHead: string;
  /** The forge's own commit. */
  readonly merge: string;
  /** Threads: the one that was fixed, and the one that was answered. */
  readonly wish: number;
  readonly question: number;
  /** Everything that processes printed. */
  readonly printed: readonly string[];
  /** What a command prints with `--json`. */
  readonly read: (...args: readonly string[]) => Promise<string>;
  readonly start: DemoProcesses['runFor'];
}

const ticket = 'STOCK-1';
const branch = `ticket/${ticket}`;

/** Reads git, the state of the stand-in and what commands print, never an object of the product. */
export async function checkForge(facts: ForgeFacts): Promise<readonly DemoCheck[]> {
  const { repository, root, redHead, readme } = facts;
  const head = git(repository.git, 'rev-parse', branch);
  const checks = [
    await issueCheck(facts),
    pullCheck(facts),
    proofCheck(facts, head),
    pushCheck(facts),
    {
      name: 'the failed check has a fix commit on the branch, and passes there',
      ok:
        readme.missing(redHead).length > 0 &&
        readme.missing(head).length === 0 &&
        commitOf(root, fixBeads.check, head) !== '',
      detail: `${commitOf(root, fixBeads.check, head).slice(0, 12)}; failed at ${redHead.slice(0, 12)}, passes at ${head.slice(0, 12)}`,
    },
    fixedCheck(facts, head),
    answeredCheck(facts),
    await verifyCheck(facts, head),
    await mergeCheck(facts, head),
  ];
  // The last one, because it reads what all of them left.
  return [...checks, tokenCheck(facts)];
}

async function issueCheck({ read }: ForgeFacts): Promise<DemoCheck> {
  const { description = '' } = eventOf(await read('show', ticket), 'report', Described) ?? {};
  const { content: prd = '' } = eventOf(await read('show', ticket, 'prd'), 'document', Document) ?? {};
  const missing = criteria.filter((one) => !description.includes(one) || !prd.includes(one));
  return {
    name: `ticket and PRD have every acceptance criterion of issue #${String(issue.number)}, word for word`,
    ok: missing.length === 0,
    detail: missing.length === 0 ? `${String(criteria.length)} criteria` : `without: ${missing.join(' ')}`,
  };
}

export function pullCheck({ repository: { pulls } }: Pick<ForgeFacts, 'repository'>): DemoCheck {
  const marked = pulls.filter(({ body }) => body?.includes(`<!-- beadsmith ${ticket} -->`));
  const closing = new RegExp(`^Closes octo/stockroom#${String(issue.number)}$`, 'm');
  return {
    name: 'one pull request was created, with the mark of its ticket, and it closes the issue',
    ok: pulls.length === 1 && marked.length === 1 && closing.test(pulls[0]?.body ?? ''),
    detail: `${String(pulls.length)} pull request, ${closing.exec(pulls[0]?.body ?? '')?.[0] ?? 'closes nothing'}`,
  };
}

const Described = z.looseObject({ description: z.string() });
const Document = z.looseObject({ content: z.string() });
const Note = z.object({ evidence: z.array(z.object({ of: z.string(), commit: z.string() })) });

function proofCheck({ root }: ForgeFacts, head: string): DemoCheck {
  const local = git(root, 'rev-parse', branch);
  const { evidence } = Note.parse(JSON.parse(git(root, 'notes', '--ref', 'beadsmith', 'show', head)));
  const proofs = evidence.filter(({ commit }) => commit === head).map(({ of }) => of);
  return {
    name: 'the branch on the forge ends with the proved commit of the ticket',
    ok: local === head && proofs.length > 0,
    detail: `${head.slice(0, 12)}, proved by: ${proofs.join(', ')}`,
  };
}

/** Updates of a branch of the forge, newest first. */
function updatesOf(folder: string, name: string): readonly { readonly to: string; readonly by: string }[] {
  return git(folder, 'reflog', 'show', '--format=%H %gs', `refs/heads/${name}`)
    .split('\n')
    .map((line) => ({ to: line.slice(0, 40), by: line.slice(41) }));
}

/** The forge keeps each update of a branch. */
export function pushCheck({
  repository: { git: folder },
  merge,
  root,
}: Pick<ForgeFacts, 'repository' | 'merge' | 'root'>): DemoCheck {
  const ofBase = updatesOf(folder, 'main').map(({ to }) => to);
  const pushed = updatesOf(folder, branch);
  const first = git(root, 'rev-parse', 'main');
  const isForward = pushed.every(({ to }, index) => {
    const before = pushed[index + 1]?.to ?? first;
    return git(folder, 'merge-base', before, to) === before;
  });
  return {
    name: 'the base branch was never pushed, and no push was forced',
    ok: ofBase.join() === [merge, first].join() && pushed.length > 1 && isForward,
    detail: `${String(pushed.length)} pushes of ${branch}`,
  };
}

function commitOf(folder: string, bead: string, head: string): string {
  const format = '--format=%H%x09%(trailers:key=Bead,valueonly,separator=%x20)';
  const lines = git(folder, 'log', format, head).split('\n');
  return lines.find((line) => line.endsWith(`\t${bead}`))?.slice(0, 40) ?? '';
}

/** Answers below the first comment of a thread. */
function repliesTo({ pull }: Pick<ForgeFacts, 'pull'>, thread: number): readonly string[] {
  return talkOf(pull)
    .lines.filter(({ replyTo }) => replyTo === thread)
    .map(({ body }) => body);
}

function fixedCheck(facts: ForgeFacts, head: string): DemoCheck {
  const commit = commitOf(facts.root, fixBeads.comment, head);
  const replies = repliesTo(facts, facts.wish);
  const isResolved = talkOf(facts.pull).resolved.has(facts.wish);
  return {
    name: 'the thread of the fixed comment is resolved, with one reply that names the commit',
    ok: isResolved && replies.length === 1 && commit !== '' && replies[0]?.includes(commit) === true,
    detail: replies[0]?.split('\n')[0] ?? 'no reply',
  };
}

export function answeredCheck(facts: Pick<ForgeFacts, 'pull' | 'question'>): DemoCheck {
  const replies = repliesTo(facts, facts.question);
  const isResolved = talkOf(facts.pull).resolved.has(facts.question);
  return {
    name: 'the question has one reply, and its thread is open',
    ok: replies.length === 1 && !isResolved,
    detail: replies[0]?.split('\n')[0] ?? 'no reply',
  };
}

const Key = z.looseObject({ line: z.string() });
const Verified = z.looseObject({ isEqual: z.boolean(), isSigned: z.boolean(), head: z.string() });

/** In the clone of another person, who has nothing of the ticket, and trusts the key of the first one. */
async function verifyCheck(
  { folder, forge, pull, read, start }: ForgeFacts,
  head: string,
): Promise<DemoCheck> {
  const eve = new Person(join(folder, 'home-of-eve'), forge);
  const clone = join(folder, 'clone');
  await eve.git(folder, 'clone', '--quiet', '--single-branch', forge.addressOf('octo/stockroom'), clone);
  eve.trusts(eventOf(await read('verify', '--key'), 'key', Key)?.line ?? '');
  const args = ['verify', String(pull.number), '--all', '--json', '--repo', clone];
  const { code, stdout } = await start({ env: eve.env, program: 'cli', args, isShown: false });
  const result = eventOf(stdout, 'verification', Verified);
  return {
    name: `in a fresh clone, beadsmith verify ${String(pull.number)} runs every command again: equal, and signed`,
    ok: code === 0 && result?.isEqual === true && result.isSigned && result.head === head,
    detail: `exit ${String(code)}, ${result?.head.slice(0, 12) ?? 'nothing verified'}`,
  };
}

const Report = z.looseObject({
  status: z.string(),
  /** Why there is none. */
  sandbox: z.string().nullable(),
  merge: z.looseObject({
    disposition: z.string(),
    mergeCommit: z.string().nullable(),
    forge: z.looseObject({ number: z.number(), location: z.string(), head: z.string() }).nullish(),
  }),
});

async function mergeCheck(facts: ForgeFacts, head: string): Promise<DemoCheck> {
  const { pull, merge, forge, read } = facts;
  const report = eventOf(await read('show', ticket), 'report', Report);
  const receipt = report?.merge;
  const location = `http://${forge.host}/octo/stockroom/pull/${String(pull.number)}`;
  return {
    name: 'the watch completed the ticket, with a receipt of the pull request and its merge',
    ok:
      report?.status === 'COMPLETED' &&
      receipt?.disposition === 'merged' &&
      receipt.mergeCommit === merge &&
      receipt.forge?.location === location &&
      receipt.forge.head === head,
    detail: `${report?.status ?? 'no report'}, worked on ${report?.sandbox === null ? 'in' : 'without'} a sandbox; #${String(receipt?.forge?.number)} as ${receipt?.mergeCommit?.slice(0, 12) ?? 'nothing'}`,
  };
}

export function tokenCheck({
  folder,
  forge,
  printed,
}: Pick<ForgeFacts, 'folder' | 'printed'> & {
  readonly forge: { readonly user: string; readonly token: string };
}): DemoCheck {
  const login = Buffer.from(`${forge.user}:${forge.token}`).toString('base64');
  const has = (content: Buffer): boolean => content.includes(forge.token) || content.includes(login);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const holders = files.filter((file) => has(readFileSync(file))).map((file) => relative(folder, file));
  const said = printed.filter((text) => has(Buffer.from(text)));
  const own = [join('home', loginFile), join('home-of-eve', loginFile)];
  return {
    name: 'the token is in no file, database, log or output, except where each person’s git keeps it',
    ok: said.length === 0 && holders.toSorted().join() === own.toSorted().join(),
    detail: `${String(files.length)} files, ${String(printed.length)} outputs; in ${holders.join(', ')}`,
  };
}

/** The first event of this type that a command printed. */
function eventOf<T>(printed: string, type: string, schema: z.ZodType<T>): T | undefined {
  const events = printed
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => z.looseObject({ type: z.string() }).parse(JSON.parse(line)));
  const found = events.find((event) => event.type === type);
  return found && schema.parse(found);
}
