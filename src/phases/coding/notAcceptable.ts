import * as z from 'zod';
import { type Bead, reasonWithoutProof } from '../../domain/beads/bead.ts';
import { type Evidence, passed } from '../../domain/core/evidence.ts';
import { classifyChange } from '../../domain/core/noise.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../engine/run/run.ts';
import { storedJson } from '../shared/ticket/artifacts.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { failuresOf, runCommands } from '../shared/worktree/commands.ts';
import { nothingAllowed, writeRuntime, profileOf } from '../shared/worktree/runtime.ts';
import { servicesFor } from '../shared/worktree/services.ts';
import { takingBack } from '../shared/worktree/worktree.ts';
import { type Proved, startOf, changedPaths } from './bead/proveCandidate.ts';
import { listed } from './bead/beadContext.ts';
import { madeMeanwhile } from './ignoredFiles.ts';
import { isTestFile } from '../../domain/proof/provingFiles.ts';
import { namesOfTests } from '../../domain/proof/testNames.ts';
import { changedTexts, comparedTexts } from '../shared/proof/changedTexts.ts';
import { Baseline } from '../../domain/proof/baseline.ts';
import { unseenTests } from '../../domain/proof/seenToPass.ts';
import type { Weakening } from '../../domain/proof/weakening.ts';
import { RunWithout } from '../../domain/proof/withoutWork.ts';
import { runWithoutWork } from '../shared/proof/withoutWork.ts';

const mostPaths = 30;

/** Tells the coder what only the worktree has, if a command passes there and fails in the proof. */
export async function explainByWorktree(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  { evidence, absent }: Proved,
): Promise<string> {
  const [failure] = failuresOf(evidence);
  if (!failure || absent.length === 0 || !bead.testCommands.includes(failure.command)) return '';
  const isGreenHere = await run.step('worktree-check', z.boolean(), async (io) => {
    const wrapper = await writeRuntime(io, ticket);
    const profile = await profileOf(io);
    const place = { cwd: ticketParts(ticket).worktree, wrapper, allowed: profile ?? nothingAllowed };
    const work = { commands: [failure.command], wrapper, limits: run.limits };
    const [seen] = await takingBack<readonly Evidence[]>(io, ticket, async () => {
      const { failed, end } = await servicesFor(io, ticket, profile?.services ?? [], place);
      if (failed) return [failed];
      try {
        return await runCommands(io, ticket, work);
      } finally {
        await end();
      }
    });
    return seen !== undefined && passed(seen);
  });
  if (!isGreenHere) return '';
  return `It passes in your worktree, which has what the commit doesn't, because git ignores it or because it looks generated: ${listed('', absent, mostPaths)}. What the work needs has to be committed, or made by the command.`;
}

/** Tells the coder of planned files that git ignores, except what commands make again. */
export async function ignoredTargets(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  { absent, ignored }: Proved,
): Promise<string> {
  const places = ignored.filter((path) => absent.includes(path)).map((path) => path.replace(/\/+$/, ''));
  const wanted = bead.targetFiles.filter((path) => classifyChange({ path, state: 'untracked' }) !== 'noise');
  const candidates = wanted.filter((path) => isIn(path, places));
  if (candidates.length === 0) return '';
  const found = await run.step('ignored-targets', z.array(z.string()), async (io) => {
    const made = (await madeMeanwhile(io, ticket, bead.id)).map((path) => path.replace(/\/+$/, ''));
    return candidates.filter((path) => isIn(path, made));
  });
  if (found.length === 0) return '';
  return `The plan names these files, and git ignores them, so they wouldn't be committed: ${found.join(', ')}. Change what .gitignore says of them.`;
}

function isIn(path: string, places: readonly string[]): boolean {
  return places.some((place) => path === place || path.startsWith(`${place}/`));
}

/**
 * Tells the coder which frozen tests of the approved plan a candidate changes
 * (docs/decisions/051-red-first.md). A person's own edits are commits before the bead's start, so they don't
 * count.
 */
export async function changedFrozenTests(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  candidate: string | null,
): Promise<string> {
  if (!ticketParts(ticket).settings.freezeApprovedTests || candidate === null) return '';
  const changed = await run.step('frozen-tests', z.array(z.string()), async (io) => {
    const { git, store } = io.ports;
    const planned = new Set(
      (await store.beads(ticket.id)).flatMap(({ targetFiles }) => targetFiles).filter(isTestFile),
    );
    const frozen: string[] = [];
    for (const path of await changedPaths(io, startOf(bead), candidate)) {
      if (planned.has(path) && ticket.baseCommit !== null && (await git.blob(ticket.baseCommit, path)))
        frozen.push(path);
    }
    return frozen;
  });
  if (changed.length === 0) return '';
  return `These tests were approved with the plan, and only a person may change them: ${changed.join(', ')}. Undo your changes of them.`;
}

/** Tells the coder which flaky tests came with its work (docs/decisions/049-baseline.md). */
export async function newFlakyTests(
  run: Run,
  bead: Bead,
  { commit: candidate, evidence }: Pick<Proved, 'commit' | 'evidence'>,
): Promise<string> {
  const flaky = evidence.slice(0, bead.testCommands.length).filter((item) => item.flaky === true);
  if (flaky.length === 0 || candidate === null) return '';
  const { problems } = await run.step(
    'flaky-tests',
    z.object({ problems: z.array(z.string()) }),
    async (io) => {
      const added = await addedTests(io, startOf(bead), candidate);
      return { problems: flaky.flatMap((item) => problemOf(item, added)) };
    },
  );
  return problems.join('\n');
}

function problemOf({ command, flakyTests = [] }: Evidence, added: readonly string[]): readonly string[] {
  const mine = flakyTests.filter((failed) => added.some((name) => failed.includes(name)));
  // Nobody knows then which test it was.
  const isMine = mine.length > 0 || (flakyTests.length === 0 && added.length > 0);
  const which = mine.length > 0 ? ` (${mine.join(', ')})` : '';
  return isMine
    ? [
        `\`${command}\` failed once and passed when it ran again on the same files: a test of this work is flaky${which}. It has to pass every time.`,
      ]
    : [];
}

async function addedTests(io: StepIo, from: string, to: string): Promise<readonly string[]> {
  const texts = changedTexts(await comparedTexts(io, from, to)).filter(({ path }) => isTestFile(path));
  return texts.flatMap(({ before, after }) => {
    const known = new Set(namesOfTests(before ?? ''));
    return namesOfTests(after ?? '').filter((name) => !known.has(name));
  });
}

const Seen = z.object({ seen: RunWithout.optional(), tests: z.array(z.string()) });

/** The evidence with what was seen without the work. `problem`: the finding in words for the coder. */
interface RedFirst {
  readonly evidence: readonly Evidence[];
  readonly finding: Weakening | null;
  readonly problem: string;
}

/**
 * Requires that a command of the bead fails without its work (docs/decisions/051-red-first.md): on its start,
 * with the tests that came with it. A bead whose plan says why nothing can fail is exempt.
 */
export async function requireFailure(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  { candidate, evidence }: { readonly candidate: string | null; readonly evidence: readonly Evidence[] },
): Promise<RedFirst> {
  const own = evidence.slice(0, bead.testCommands.length);
  if (own.length === 0 || reasonWithoutProof(bead) !== '') return { evidence, finding: null, problem: '' };
  if (candidate === null) return unproved(bead, evidence, []);
  const { seen, tests } = await run.step('red-first', Seen, async (io) => {
    const found = await runWithoutWork(io, ticket, {
      start: startOf(bead),
      commit: candidate,
      passed: own,
      limits: run.limits,
      declared: declaredTests(bead),
    });
    return { ...(found.seen ? { seen: found.seen } : {}), tests: [...found.tests] };
  });
  if (!seen) return unproved(bead, evidence, tests);
  const { command, tree, exitCode } = seen;
  const marked = evidence.map((item) =>
    item.command === command ? { ...item, without: { tree, exitCode } } : item,
  );
  const ran = own.find((item) => item.command === command);
  const text = (ran && unseenTests(ran, seen.failed ?? [])) ?? (await stillRed(run, own));
  if (text === undefined) return { evidence: marked, finding: null, problem: '' };
  const finding = { kind: 'unseen', path: bead.id, line: null, text } as const;
  const problem = `The bead's commands succeed, but ${text}. Make these tests pass.`;
  return { evidence: marked, finding, problem };
}

function declaredTests({ tests, targetFiles }: Bead): readonly string[] {
  return targetFiles.filter((path) => tests.some((text) => text.split(/[\s`'"(),;]+/).includes(path)));
}

/** Tests that are still red beside others of the same command that pass now: probably all were to. */
async function stillRed(run: Run, own: readonly Evidence[]): Promise<string | undefined> {
  if (own.every(({ knownFailures = [] }) => knownFailures.length === 0)) return undefined;
  const red = await run.step('still-red', z.array(z.string()), async (io) => {
    const { checks = [] } = (await storedJson(io, 'baseline', Baseline)) ?? {};
    return own.flatMap(({ command, knownFailures = [] }) => {
      const failed = checks.find((check) => check.kind === 'test' && check.command === command)?.failed ?? [];
      return failed.some((name) => !knownFailures.includes(name)) ? knownFailures : [];
    });
  });
  return red.length === 0
    ? undefined
    : `these tests were red and still are, beside others that pass now: ${red.slice(0, 10).join(', ')}`;
}

function unproved(
  { id, testCommands }: Bead,
  evidence: readonly Evidence[],
  tests: readonly string[],
): RedFirst {
  const commands = testCommands.map((command) => `\`${command}\``).join(', ');
  const withTests =
    tests.length === 0 ? '' : `, with the tests of this work (${tests.slice(0, 20).join(', ')}),`;
  const text = `${commands} ${testCommands.length === 1 ? 'passes' : 'pass'} without it as well`;
  const problem = [
    `Nothing that ran would fail without this work. On the commit that the bead started at${withTests} its commands pass as well: ${commands}.`,
    'Write tests that fail without the work, in a place where these commands run them.',
  ];
  return { evidence, finding: { kind: 'unproved', path: id, line: null, text }, problem: problem.join('\n') };
}
