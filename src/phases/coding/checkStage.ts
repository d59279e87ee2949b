import * as z from 'zod';
import type { Bead, BeadStatusMarker } from '../../domain/beads/bead.ts';
import type { IterationState } from '../../domain/beads/iteration.ts';
import { commandFailure, type Failure, failure, notDone } from '../../domain/beads/failure.ts';
import {
  countsText,
  failureHash,
  progressCounts,
  type Rejected,
  stuckReason,
} from '../../domain/beads/progress.ts';
import { refusedHosts } from '../../domain/environment/refusedNetwork.ts';
import type { Evidence } from '../../domain/core/evidence.ts';
import type { Weakening } from '../../domain/proof/testIntegrity.ts';
import type { LoopEnd, Pass } from '../../domain/beads/passes.ts';
import type { StageExit, StageInput, StageOutput } from '../../domain/beads/beadStages.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { RecordIo, Run } from '../../engine/run/run.ts';
import type { StageHandler } from '../../engine/run/stage.ts';
import { describeFailures, failuresOf } from '../shared/worktree/commands.ts';
import { uncommittableProblem } from '../shared/proof/candidate.ts';
import { guardChanges } from '../shared/proof/guardChanges.ts';
import { Reviewed, reviewTests, weakerProblem } from '../shared/proof/reviewTests.ts';
import { type Proved, proveCandidate, startOf } from './bead/candidate.ts';
import { newFlakyTests } from './flakyTests.ts';
import { changedFrozenTests } from './frozenTests.ts';
import { explainByWorktree, ignoredTargets } from './notCommitted.ts';
import { earlyClaim, loopOf, recordPass } from './passes.ts';
import { requireFailure } from './redFirst.ts';

/**
 * Checks what the coder reports (docs/decisions/030-engine-runs-the-checks.md): the marker, if there is one,
 * must say done with four passes, and then the engine runs the bead's test commands itself, on the commit
 * that the bead would get. Otherwise the coder continues in its session, while there are continuations left
 * and it gets anywhere.
 */
export const checkStage: StageHandler<'check'> = async (run, ticket, input) => {
  const result = await check(run, ticket, input);
  const { exit, output, outcome } = result;
  const { hasPasses } = loopOf(ticket);
  if (!hasPasses || outcome === null)
    return { exit, output: { ...output, passes: input.passes, ended: null } };
  const pass = { pass: input.pass, outcome };
  const ended =
    exit === 'passed' ? 'validated_complete' : exit === 'failed' ? endOf(output.failure, input.marker) : null;
  await recordPass(run, ticket, input.bead, pass, ended);
  return { exit, output: { ...output, passes: [...input.passes, pass], ended } };
};

/** Returns the reason why no further pass follows a check that failed. */
function endOf(why: Failure | null, marker: BeadStatusMarker | null): LoopEnd {
  if (why?.cause === 'no_progress') return 'stuck';
  return marker?.blocked === true ? 'aborted' : 'max_passes';
}

/**
 * The result of a check, without its consequence for the loop. `outcome` is null where the pass isn't over:
 * only its marker is missing.
 */
interface Checked {
  readonly exit: StageExit<'check'>;
  readonly output: Omit<StageOutput<'check'>, 'passes' | 'ended'>;
  readonly outcome: Pass['outcome'] | null;
}

async function check(run: Run, ticket: TicketSnapshot, input: StageInput<'check'>): Promise<Checked> {
  const { bead, visit, session, marker, checks: earlier, pivoted: before, pass } = input;
  const loop = loopOf(ticket);
  const ms = await run.record('worked', z.number(), (io) => lastRunMs(io, run.runId));
  const next = (problem: string, tree: string, why: Failure) => {
    const rejected: Rejected = {
      tree,
      failure: failureHash(problem),
      of: String(why.args['command'] ?? why.cause),
      ms,
    };
    const checks = [...earlier, rejected];
    const stuck = stuckReason(checks);
    const isLeft = loop.hasPasses
      ? pass < loop.maxPasses
      : visit <= run.limits.maxContinuations && session !== null;
    const canAsk = isLeft && marker?.blocked !== true;
    // The first time, the coder is told to take another approach; the second time, the iteration ends.
    const pivots = stuck !== '' && canAsk && !before;
    if (pivots) rejected.pivot = true;
    return { checks, stuck, pivots, canGoOn: pivots || (stuck === '' && canAsk) };
  };
  const verdict = async (problem: string, tree: string, why: Failure) => {
    const { checks, stuck, pivots, canGoOn } = next(problem, tree, why);
    await tellCounts(run, ticket, bead, checks);
    const exit: StageExit<'check'> = canGoOn ? 'problems' : 'failed';
    const said = stuck === '' ? problem : `${stuck} (${countsText(progressCounts(checks))})\n\n${problem}`;
    const because =
      stuck !== ''
        ? { ...why, cause: 'no_progress' as const }
        : marker
          ? why
          : failure('marker', {}, { about: said });
    const pivoted = before || pivots;
    const outcome: Pass['outcome'] = !marker
      ? 'unmarked'
      : claimProblem(marker) === ''
        ? 'rejected'
        : 'not_done';
    const output = {
      evidence: [],
      candidate: null,
      tree: null,
      leftOut: [],
      checks,
      pivoted,
      problem: said,
      failure: because,
    };
    return { exit, output, outcome };
  };
  const claim = claimProblem(marker);
  const proved = await proveCandidate(run, ticket, bead);
  if (claim !== '' && marker) {
    // The engine sees for itself why, since the next attempt would else know only what the agent believes.
    const said = `${seenText(proved)}\n\nThe session reported by itself: ${claim}`;
    const isOffline =
      refusedHosts(said) !== undefined &&
      (await run.step('offline', z.boolean(), (io) =>
        Promise.resolve(io.ports.process.unboxed === undefined),
      ));
    return verdict(said, proved.tree, notDone(said, { isOffline }));
  }
  const { commit: candidate, tree, leftOut } = proved;
  const failures = failuresOf(proved.evidence);
  if (failures[0]) {
    const more = await explainByWorktree(run, ticket, bead, proved);
    const said = [describeFailures(proved.evidence), more].filter((text) => text !== '').join('\n\n');
    return verdict(said, tree, whyFailed(failures[0], candidate));
  }
  const wrong =
    uncommittableProblem(proved) ||
    (await ignoredTargets(run, ticket, bead, proved)) ||
    (await changedFrozenTests(run, ticket, bead, candidate)) ||
    (await newFlakyTests(run, bead, proved));
  if (wrong !== '')
    return verdict(wrong, tree, failure('not_acceptable', { reason: wrong }, { about: wrong }));
  if (!marker)
    return unmarked({
      checks: earlier,
      pivoted: before,
      canAsk:
        session !== null &&
        (loop.hasPasses ? visit <= pass + 1 : visit <= Math.max(1, run.limits.maxContinuations)),
    });
  const proof = {
    evidence: [...proved.evidence],
    candidate,
    tree,
    leftOut,
    checks: earlier,
    pivoted: before,
    failure: null,
  };
  if (loop.hasPasses && pass < loop.minPasses)
    return {
      exit: 'again',
      output: { ...proof, problem: earlyClaim(bead, pass, loop) },
      outcome: 'claimed_early',
    };
  const { evidence, finding, problem } = await requireFailure(run, ticket, bead, {
    candidate,
    evidence: proved.evidence,
  });
  // While the coder can still write a test that fails, no person is asked.
  const neverRed = failure('never_red', {}, { about: problem });
  if (finding && next(problem, tree, neverRed).canGoOn) return verdict(problem, tree, neverRed);
  const weaker = await weakerTests(run, ticket, bead, {
    candidate,
    evidence,
    others: finding ? [finding] : [],
  });
  if (weaker !== '') return verdict(weaker, tree, failure('tests_weaker', {}, { about: weaker }));
  const guarded = await guard(run, ticket, bead, candidate);
  if (guarded.problem !== '') return verdict(guarded.problem, tree, whyGuarded(guarded));
  return { exit: 'passed', output: { ...proof, evidence: [...evidence], problem: '' }, outcome: 'passed' };
}

/** Returns what the engine saw of work that its coder doesn't call done. */
function seenText(proved: Proved): string {
  const seen =
    uncommittableProblem(proved) ||
    describeFailures(proved.evidence) ||
    proved.evidence.map(({ command }) => `\`${command}\` passed.`).join('\n') ||
    'The bead has no commands to run.';
  const nothing = proved.commit === null && proved.uncommittable.length === 0 ? 'No file was changed. ' : '';
  return `${nothing}On the files as the session left them:\n\n${seen}`;
}

/** The start of the message to a coder whose work lacks nothing but its marker. */
export const onlyMarkerMissing =
  'The engine ran the checks of the bead on the files as you left them, and all checks pass. Only your status marker is missing.';

/**
 * The work is proved, and only the marker is missing: it is asked for, and no code is reset for it as long as
 * that may help.
 */
function unmarked({
  checks,
  pivoted,
  canAsk,
}: Pick<IterationState, 'checks' | 'pivoted'> & { readonly canAsk: boolean }): Checked {
  const problem = `${onlyMarkerMissing} Change nothing. Send the DEV_RECORD and the BEAD_STATUS block of the bead, in the form that was asked for.`;
  const exit: StageExit<'check'> = canAsk ? 'problems' : 'failed';
  const why = failure('marker', {}, { about: problem });
  const output = {
    evidence: [],
    candidate: null,
    tree: null,
    leftOut: [],
    checks,
    pivoted,
    problem,
    failure: why,
  };
  return { exit, output, outcome: canAsk ? null : 'unmarked' };
}

/** Returns the time that the agent worked before this check, in active milliseconds. */
async function lastRunMs(io: RecordIo, run: string): Promise<number> {
  return (
    (await io.ports.store.steps(run)).findLast(({ key }) => /^(?:code|fix):\d+\/ask$/.test(key))?.activeMs ??
    0
  );
}

/** Logs how far the iteration is from being stuck. */
async function tellCounts(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  checks: IterationState['checks'],
): Promise<void> {
  await run.record('counts', z.null(), (io) => {
    const text = `Bead ${bead.id}, check ${String(checks.length)} failed: ${countsText(progressCounts(checks))}.`;
    io.ports.events.emit({
      type: 'activity',
      ticket: ticket.id,
      at: io.ports.clock.now(),
      source: 'engine',
      kind: 'info',
      text,
    });
    return Promise.resolve(null);
  });
}

/** Returns what makes the bead's checks prove less; empty if nothing does, or if a person accepts it. */
async function weakerTests(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  {
    candidate,
    evidence,
    others,
  }: {
    readonly candidate: string | null;
    readonly evidence: readonly Evidence[];
    readonly others: readonly Weakening[];
  },
): Promise<string> {
  if (candidate === null && others.length === 0) return '';
  const about = {
    name: bead.id,
    title: `Bead ${bead.id}`,
    start: startOf(bead),
    commit: candidate,
    planned: bead.targetFiles,
  };
  const work = { ...about, evidence, others, limits: run.limits };
  return weakerProblem(await run.step('tests-reviewed', Reviewed, (io) => reviewTests(io, ticket, work)));
}

/** Files that the approved plan names were agreed to. */
async function guard(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  candidate: string | null,
): ReturnType<typeof guardChanges> {
  if (candidate === null) return { problem: '' };
  return guardChanges(run, ticket, {
    key: 'guarded',
    name: bead.id,
    from: startOf(bead),
    to: candidate,
    planned: bead.targetFiles,
  });
}

function whyGuarded({ problem, hook }: Awaited<ReturnType<typeof guardChanges>>): Failure {
  if (hook) return failure('hook_refused', { hook: hook.hook, reason: hook.reason }, { about: hook.output });
  return failure('not_acceptable', { reason: problem }, { about: problem });
}

/** Returns the reason why a proof failed, given its first command that did. */
function whyFailed(evidence: Evidence, candidate: string | null): Failure {
  const why = commandFailure(evidence);
  return candidate === null && why.limit === null ? { ...why, cause: 'nothing_changed' } : why;
}

/** Returns true if every test command of the bead was seen to pass, each in its turn. */
export function isProved(bead: Bead, evidence: readonly Evidence[]): boolean {
  const commands = evidence.map((item) => item.command);
  return (
    failuresOf(evidence).length === 0 &&
    bead.testCommands.every((command, index) => commands[index] === command)
  );
}

/**
 * Returns the reason why the marker doesn't claim success (docs/decisions/031-bead-marker.md); empty if it
 * does.
 */
export function claimProblem(marker: BeadStatusMarker | null): string {
  if (!marker) return 'There is no status marker.';
  const failed = Object.entries(marker.checks).filter(([, result]) => result !== 'pass');
  if (marker.status === 'done' && failed.length === 0) return '';
  const checks =
    failed.length > 0
      ? ` These checks are reported as failing: ${failed.map(([name]) => name).join(', ')}.`
      : '';
  return `The marker says status "${marker.status}".${checks}${marker.reason ? ` Reason given: ${marker.reason}` : ''}`;
}
