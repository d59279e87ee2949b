import * as z from 'zod';
import type { Bead } from '../../domain/beads/bead.ts';
import { SetupProfile } from '../../domain/documents/setupPlan.ts';
import { type Evidence, passed } from '../../domain/core/evidence.ts';
import { classifyChange } from '../../domain/core/noise.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../engine/run/run.ts';
import { readJson } from '../shared/ticket/artifacts.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { failuresOf, runCommands } from '../shared/worktree/commands.ts';
import { nothingAllowed, writeRuntime } from '../shared/worktree/runtime.ts';
import { servicesFor } from '../shared/worktree/services.ts';
import { takingBack } from '../shared/worktree/worktree.ts';
import { type Proved, startOf } from './bead/candidate.ts';
import { madeMeanwhile } from './ignoredFiles.ts';
import { isTestFile } from '../../domain/proof/provingFiles.ts';
import { namesOfTests } from '../../domain/proof/testNames.ts';
import { changedTexts, comparedTexts } from '../shared/proof/changedTexts.ts';

const mostPaths = 30;

/**
 * Returns what the coder has to know of a command of the bead that fails in the proof and passes in the
 * worktree: the paths that only the worktree has (docs/decisions/048-clean-room-proof.md). Empty where it
 * fails in both, or where the worktree has nothing more.
 */
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
    const profile = readJson(
      SetupProfile,
      (await io.ports.store.artifact(ticket.id, 'execution_setup_profile'))?.content,
    );
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
  const more = absent.length > mostPaths ? ` and ${String(absent.length - mostPaths)} more` : '';
  return `It passes in your worktree, which has what the commit doesn't, because git ignores it or because it looks generated: ${absent.slice(0, mostPaths).join(', ')}${more}. What the work needs has to be committed, or made by the command.`;
}

/**
 * Says what is wrong if the worktree has files that the plan names and git ignores, in words for the coder;
 * empty if it has none. What the commands make again, and environments, aren't meant to be committed.
 */
export async function ignoredTargets(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  { absent, ignored }: Proved,
): Promise<string> {
  const places = ignored.filter((path) => absent.includes(path)).map((path) => path.replace(/\/+$/, ''));
  const wanted = bead.targetFiles.filter((path) => classifyChange({ path, state: 'untracked' }) !== 'noise');
  const candidates = wanted.filter((path) =>
    places.some((place) => path === place || path.startsWith(`${place}/`)),
  );
  if (candidates.length === 0) return '';
  const found = await run.step('ignored-targets', z.array(z.string()), async (io) => {
    const made = (await madeMeanwhile(io, ticket, bead.id)).map((path) => path.replace(/\/+$/, ''));
    return candidates.filter((path) => made.some((place) => path === place || path.startsWith(`${place}/`)));
  });
  if (found.length === 0) return '';
  return `The plan names these files, and git ignores them, so they wouldn't be committed: ${found.join(', ')}. Change what .gitignore says of them.`;
}

/**
 * Returns what is wrong if the tests of the approved plan are frozen and a candidate changes one, in words
 * for the coder; empty if it doesn't (docs/decisions/051-red-first.md). Frozen are the target files of all
 * beads that are tests and were there when the plan was approved. A person's own edits are commits before the
 * bead's start, so they don't count.
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
    const touched = (await git.compare(startOf(bead), candidate)).flatMap(({ path, oldPath }) =>
      oldPath === null ? [path] : [path, oldPath],
    );
    const frozen: string[] = [];
    for (const path of touched) {
      if (planned.has(path) && ticket.baseCommit !== null && (await git.blob(ticket.baseCommit, path)))
        frozen.push(path);
    }
    return frozen;
  });
  if (changed.length === 0) return '';
  return `These tests were approved with the plan, and only a person may change them: ${changed.join(', ')}. Undo your changes of them.`;
}

/**
 * Returns what is wrong if a command of the bead is flaky because of a test that came with its work, in words
 * for the coder; empty if none is (docs/decisions/049-baseline.md). A flaky test that was there before is
 * recorded with the evidence and nothing more.
 */
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
  // Which test it was isn't known then.
  const isMine = mine.length > 0 || (flakyTests.length === 0 && added.length > 0);
  const which = mine.length > 0 ? ` (${mine.join(', ')})` : '';
  return isMine
    ? [
        `\`${command}\` failed once and passed when it ran again on the same files: a test of this work is flaky${which}. It has to pass every time.`,
      ]
    : [];
}

/** The names of tests that the work added, as far as their language writes them on one line. */
async function addedTests(io: StepIo, from: string, to: string): Promise<readonly string[]> {
  const texts = changedTexts(await comparedTexts(io, from, to)).filter(({ path }) => isTestFile(path));
  return texts.flatMap(({ before, after }) => {
    const known = new Set(namesOfTests(before ?? ''));
    return namesOfTests(after ?? '').filter((name) => !known.has(name));
  });
}
