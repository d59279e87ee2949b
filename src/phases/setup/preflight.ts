import * as z from 'zod';
import { graphErrors, planHash, getRunnable, isAllComplete } from '../../domain/beads/beadPlan.ts';
import { parseMember } from '../../domain/council/council.ts';
import { beadsDocument } from '../../domain/documents/beads.ts';
import { relevantFilesDocument } from '../../domain/documents/relevantFiles.ts';
import {
  type CommitConvention,
  commitlintPlaces,
  conventionOf,
  subjectsSeen,
} from '../../domain/environment/commitConvention.ts';
import { describeHook, type FoundHook } from '../../domain/environment/gitHooks.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { PreflightReport, repositoryCategory } from '../../domain/beads/reports.ts';
import type { Settings } from '../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Agent, Git, RepositoryTraits } from '../../engine/ports/ports.ts';
import type { HandlerDefinition, Run, StepIo } from '../../engine/run/run.ts';
import { artifactChange } from '../shared/ticket/artifacts.ts';
import { approvalOf } from '../shared/ticket/receipts.ts';
import { ask } from '../shared/ask/ask.ts';
import { isFailureOf, replaceableCall } from '../shared/ask/providerError.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { recordedTip } from '../shared/worktree/branchTip.ts';
import { selectPaths } from '../shared/worktree/commit.ts';
import { tellIssueInStep } from '../shared/tellIssue.ts';
import { applyRewindEdit } from '../shared/gate/rewind.ts';
import { storedBeads } from '../shared/gate/storedBeads.ts';
import { endSessions } from '../shared/worktree/sessions.ts';
import { remakeWorktree, attempted, resetAttempt } from '../shared/worktree/worktree.ts';
import { forgeChecks } from './forgeChecks.ts';
import { tell } from '../../engine/run/tell.ts';

type Check = PreflightReport['checks'][number];
type Verdict = readonly [result: Check['result'], message: string];

const probeMs = 120_000;

const signing: Readonly<Record<Awaited<ReturnType<Git['trySigning']>>, Verdict>> = {
  on: ['pass', 'git signs commits.'],
  off: ['pass', 'Commits are not signed, as git is configured.'],
  foreign: [
    'warning',
    'Commits are not signed: the repository\'s own configuration names the program that signs, and Beadsmith starts no such program. Set gpg.program with "git config --global".',
  ],
};

/** Proves that the ticket can be coded (docs/decisions/026-preflight.md). Throws PREFLIGHT_FAILED. */
export const preflight: HandlerDefinition<'passed'> = {
  version: 1,
  run: async (run, ticket) => {
    if (ticket.entry.by === 'edit') await leaveBeads(run, ticket);
    await applyRewindEdit(run, ticket, storedBeads);
    const { checks: Checks } = PreflightReport.shape;
    const checks = await run.step('checks', Checks, (io) => deterministicChecks(io, ticket));
    const connected = checks.every(({ category, result }) => category !== 'model' || result !== 'fail');
    if (connected) checks.push(await probe(run, ticket));
    await run.record('report', z.null(), (io) => {
      const report = PreflightReport.parse({ schema_version: 1, checks });
      io.save(artifactChange(ticket, 'preflight_report', report));
      return null;
    });
    const failed = checks.filter(({ result }) => result === 'fail');
    if (failed.length === 0) {
      await tellIssueInStep(run, ticket, 'planned');
      return { exit: 'passed' };
    }
    throw new BeadsmithError('PREFLIGHT_FAILED', {
      checks: failed.map(({ name, message }) => `${name}: ${message}`).join(' · '),
    });
  },
};

/** After an edit of the plan while coding was blocked: what unfinished beads left is kept under a ref. */
function leaveBeads(run: Run, ticket: TicketSnapshot): Promise<null> {
  return run.step('leave-beads', z.null(), async (io) => {
    const open = (await io.ports.store.beads(ticket.id)).filter(
      ({ status }) => status === 'error' || status === 'in_progress',
    );
    if (open.length === 0) return null;
    const { git } = io.ports;
    await endSessions(io, ({ bead }) => open.some(({ id }) => id === bead));
    const head = (await recordedTip(io))?.commit ?? (await git.head(ticketParts(ticket).worktree));
    const ref = await resetAttempt(io, ticket, head, `plan-edit-${String(ticket.attempt)}`);
    if (ref === '') return null;
    const text = `What was in the worktree when the plan was edited is kept under ${ref}.`;
    tell(io, text);
    return null;
  });
}

async function deterministicChecks(io: StepIo, ticket: TicketSnapshot): Promise<Check[]> {
  const { agent, git, store } = io.ports;
  const { settings, worktree, branch } = ticketParts(ticket);
  const { mainImplementer: main, secondImplementer: second } = settings;
  await remakeWorktree(io, ticket);
  // The probe needs it. It starts while the rest is checked.
  agent.prepare({ directory: worktree, policy: 'default' });
  const beads = await store.beads(ticket.id);
  const traits = await attempted(io, async () => git.traits(await git.head(worktree)));
  const check = async (
    name: string,
    category: string,
    work: () => Promise<Verdict> | Verdict,
  ): Promise<Check> => {
    const outcome = await attempted(io, async () => work());
    const [result, message] = outcome.ok ? outcome.value : (['fail', outcome.error.message] as const);
    return { name, category, result, message };
  };
  return [
    ...(traits.ok ? repositoryChecks(traits.value, worktree) : []),
    await check('OpenCode', 'model', async () => [
      'pass',
      `OpenCode ${(await agent.health()).version} answers.`,
    ]),
    await check('Main implementer', 'model', () => connection(agent, main, worktree)),
    ...(second === ''
      ? []
      : [await check('Second implementer', 'model', () => connection(agent, second, worktree))]),
    await check('Worktree', 'git', async () => {
      const found = await git.branchOf(worktree);
      if (found === branch) return ['pass', `The worktree is on ${branch}.`];
      return ['fail', `The worktree is on ${found ?? 'no branch'} instead of ${branch}.`];
    }),
    await check('Clean worktree', 'git', async () => {
      const { paths, leftOut } = (await selectPaths(io))(await git.status(worktree));
      if (paths.length > 0) return ['fail', `There are uncommitted changes: ${some(paths)}.`];
      const generated = `Generated files that git does not ignore: ${some(leftOut)}. Consider .gitignore.`;
      if (leftOut.length > 0) return ['warning', generated];
      return ['pass', 'There are no uncommitted changes.'];
    }),
    await check('Signing', 'git', async () => signing[await git.trySigning(worktree)]),
    await check('Commit messages', 'git', () => conventionVerdict(io, ticket)),
    await check('Git hooks', 'git', async () => hooksVerdict(await git.hooks(), settings.gitHookPolicy)),
    await check('Relevant files', 'plan', async () =>
      (await store.artifact(ticket.id, relevantFilesDocument.kind))
        ? ['pass', 'The scan is there.']
        : ['warning', 'There is no scan of relevant files.'],
    ),
    await check('Beads', 'plan', () =>
      beads.length > 0 ? ['pass', `${beads.length} beads.`] : ['fail', 'The plan has no beads.'],
    ),
    await check('Dependency graph', 'plan', () => {
      const errors = graphErrors(beads);
      return errors.length === 0 ? ['pass', 'The graph is sound.'] : ['fail', some(errors)];
    }),
    await check('Runnable bead', 'plan', () =>
      getRunnable(beads).length > 0 || isAllComplete(beads)
        ? ['pass', 'A bead can start.']
        : ['fail', 'No bead can start: each depends on another.'],
    ),
    await check('Approval', 'plan', async () => {
      const receipt = await approvalOf(io, beadsDocument.kind);
      if (!receipt) return ['fail', 'The beads were not approved.'];
      if (receipt.content_sha256 !== planHash(beads))
        return ['fail', 'The beads changed after they were approved.'];
      const { approved_by: by, approved_at: at, reason } = receipt;
      return ['pass', by === 'user' ? `Approved at ${at}.` : `${reason} (${at})`];
    }),
    ...(await forgeChecks(io, ticket)),
  ];
}

/** Decides the form of the ticket's commits, once; Beadsmith's own by default. */
async function conventionVerdict(io: StepIo, ticket: TicketSnapshot): Promise<Verdict> {
  const { baseCommit } = ticket;
  const found = await attempted(io, async () =>
    baseCommit === null ? undefined : commitHabits(io.ports.git, baseCommit),
  );
  const habits: CommitConvention = (found.ok ? found.value : undefined) ?? { style: 'plain', because: '' };
  io.save(artifactChange(ticket, 'commit_convention', habits));
  return ['pass', describeHabits(habits)];
}

/** Beadsmith's own git runs no hook. */
function hooksVerdict(found: readonly FoundHook[], policy: Settings['gitHookPolicy']): Verdict {
  if (found.length === 0) return ['pass', 'The repository has no hooks for commits.'];
  const hooks = some(found.map((hook) => `${hook.name} at ${describeHook(hook)}`));
  if (policy === 'use_native_hooks')
    return ['pass', `pre-commit and commit-msg check each commit; other hooks don't run: ${hooks}.`];
  if (policy === 'observe_only') return ['pass', `Hooks don't run on the ticket's commits: ${hooks}.`];
  const unless = 'unless the setup plan says "use: run" for them';
  return ['pass', `Hooks don't run on the ticket's commits ${unless}: ${hooks}.`];
}

async function connection(agent: Agent, member: string, worktree: string): Promise<Verdict> {
  const { provider, model } = parseMember(member);
  const found = (await agent.models(worktree)).includes(`${provider}/${model}`);
  return found ? ['pass', `${member} is connected.`] : ['fail', `${member} is not connected.`];
}

/** A real call in a session like those of coding: a model that is listed may still refuse to work. */
async function probe(run: Run, ticket: TicketSnapshot): Promise<Check> {
  const { settings } = ticketParts(ticket);
  const check = { name: 'Capability', category: 'model' } as const;
  try {
    await ask(run, ticket, {
      key: 'probe',
      contextKey: 'capability_probe',
      prompt: 'capability-probe',
      member: settings.mainImplementer,
      parse: (text) =>
        /\bok\b/i.test(text) ? { ok: true, value: 'OK' } : { ok: false, problem: 'Answer with exactly: OK' },
      result: z.string(),
      activeMs: probeMs,
      onProviderFailure: 'fail',
    });
    return { ...check, result: 'pass', message: `${settings.mainImplementer} answers.` };
  } catch (error) {
    if (!isFailureOf(error, replaceableCall)) throw error;
    return { ...check, result: 'fail', message: error.message };
  }
}

/** Traits of a checkout that its worktrees lack, each with its remedy. */
export function repositoryChecks(traits: RepositoryTraits, worktree: string): readonly Check[] {
  const { submodules, lfs, sparse, shallow, partial, oddPaths, namesakes, foldsCase, longestPath } = traits;
  const isTooLong = new TextEncoder().encode(worktree).length + longestPath >= longestOfSystem;
  const odd = oddPaths.map((path) => JSON.stringify(path));
  const same = namesakes.map((names) => names.join(' and '));
  const rows: readonly (readonly [applies: boolean, name: string, ...Verdict])[] = [
    [
      submodules.length > 0,
      'Submodules',
      'warning',
      `Empty in your checkout, and so in worktrees: ${some(submodules, 3)}. If the work needs them, run in your checkout: git submodule update --init --recursive`,
    ],
    [
      lfs,
      'Git LFS',
      'warning',
      'Worktrees have the content of the files in Git LFS that your clone has; others are pointers. If the work needs those, run in your checkout: git lfs pull',
    ],
    [
      sparse,
      'Sparse checkout',
      'warning',
      'Worktrees hold the same part of the repository as your checkout. For the rest: git sparse-checkout disable',
    ],
    [
      shallow,
      'Shallow clone',
      'warning',
      'The history is cut off, so a base that moved may not be mergeable. To complete it: git fetch --unshallow',
    ],
    [
      partial,
      'Partial clone',
      'warning',
      'Files are fetched from the remote when they are needed, so the work needs the network.',
    ],
    [
      oddPaths.length > 0,
      'Odd paths',
      'warning',
      `Paths with line feeds, tabs or backslashes can't be named by beads: ${some(odd, 3)}. To work on them, rename them.`,
    ],
    [
      namesakes.length > 0 && foldsCase,
      'Letter case',
      'fail',
      `This file system takes these names for one, so a worktree can't hold them both: ${some(same, 3)}. Rename one of each on the base branch.`,
    ],
    [
      isTooLong,
      'Long paths',
      'fail',
      `The longest path of the repository doesn't fit below ${worktree}. Move the repository to a folder with a shorter path.`,
    ],
  ];
  return rows.flatMap(([applies, name, result, message]) =>
    applies ? [{ name, category: repositoryCategory, result, message }] : [],
  );
}

const longestOfSystem = 4_096;

function some(items: readonly string[], most = 5): string {
  return items.length <= most
    ? items.join(', ')
    : `${items.slice(0, most).join(', ')} and ${String(items.length - most)} more`;
}

const manifest = 'package.json';
const longestManifest = 1_000_000;

/** The commit convention of a base branch, read from git (docs/decisions/181-habits-of-the-repository.md). */
async function commitHabits(git: Git, base: string): Promise<CommitConvention> {
  const [files, [bytes], subjects] = await Promise.all([
    git.regularFiles(base, commitlintPlaces),
    git.blobs(base, [manifest]),
    git.subjects(base, subjectsSeen),
  ]);
  const isRead = bytes !== undefined && bytes.length <= longestManifest;
  return conventionOf({ files, manifest: isRead ? new TextDecoder().decode(bytes) : undefined, subjects });
}

function describeHabits({ style, because }: CommitConvention): string {
  if (style === 'plain') return 'Commits of beads are written as bead(ID): TITLE.';
  const reason = / of /.test(because) ? `${because} commits on the base branch are` : `${because} says`;
  return `Commits of beads are Conventional Commits, as ${reason}.`;
}
