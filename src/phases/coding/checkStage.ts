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
import type { LoopEnd, Pass } from '../../domain/beads/passes.ts';
import type { StageExit, StageInput, StageOutput } from '../../domain/beads/beadStages.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { RecordIo, Run, StageHandler, StepIo } from '../../engine/run/run.ts';
import { describeFailures, failuresOf } from '../shared/worktree/commands.ts';
import { uncommittableProblem } from '../shared/proof/candidate.ts';
import { guardChanges } from '../shared/proof/guardChanges.ts';
import { isWorkStep } from '../shared/worktree/sessions.ts';
import { Reviewed, reviewTests, weakerProblem } from '../shared/proof/reviewTests.ts';
import { type Proved, proveCandidate, startOf } from './bead/proveCandidate.ts';
import {
  newFlakyTests,
  changedFrozenTests,
  explainByWorktree,
  ignoredTargets,
  requireFailure,
} from './notAcceptable.ts';
import { earlyClaim, loopOf, recordPass } from './passes.ts';
import { tell } from '../../engine/run/tell.ts';
type ReviewedWork = Parameters<typeof reviewTests>[2];

/**
 * Checks what the coder reports (docs/decisions/030-engine-runs-the-checks.md): the engine runs the bead's
 * commands on the commit that the bead would get. After a problem the coder continues in its session while
 * continuations are left and it makes progress.
 */
export const checkStage: StageHandler<'check'> = async (run, ticket, input) => {
  const { exit, output, outcome } = await check(run, ticket, input);
  const { hasPasses } = loopOf(ticket);
  if (!hasPasses || outcome === null)
    return { exit, output: { ...output, passes: input.passes, ended: null } };
  const pass = { pass: input.pass, outcome };
  const ended =
    exit === 'passed' ? 'validated_complete' : exit === 'failed' ? endOf(output.failure, input.marker) : null;
  await recordPass(run, ticket, input.bead, pass, ended);
  return { exit, output: { ...output, passes: [...input.passes, pass], ended } };
};

function endOf(why: Failure | null, marker: BeadStatusMarker | null): LoopEnd {
  if (why?.cause === 'no_progress') return 'stuck';
  return marker?.blocked === true ? 'aborted' : 'max_passes';
}

/** `outcome` is null where only the marker of the pass is missing. */
interface Checked {
  readonly exit: StageExit<'check'>;
  readonly output: Omit<StageOutput<'check'>, 'passes' | 'ended'>;
  readonly outcome: Pass['outcome'] | null;
}

const noProof = { evidence: [], candidate: null, tree: null, leftOut: [] };

async function check(run: Run, ticket: TicketSnapshot, input: StageInput<'check'>): Promise<Checked> {
  const { bead, visit, session, marker, checks: earlier, pivoted: before, pass } = input;
  const loop = loopOf(ticket);
  const ms = await run.record('worked', z.number(), (io) => lastRunMs(io, run.runId));
  const claim = claimProblem(marker);
  const next = (problem: string, tree: string, why: Failure) => {
    const of = String(why.args['command'] ?? why.cause);
    const rejected: Rejected = { tree, failure: failureHash(problem), of, ms };
    const checks = [...earlier, rejected];
    const stuck = stuckReason(checks);
    const isLeft = loop.hasPasses
      ? pass < loop.maxPasses
      : visit <= run.limits.maxContinuations && session !== null;
    const canAsk = isLeft && marker?.blocked !== true;
    // The first time the coder is told to take another approach; the second time the iteration ends.
    const pivots = stuck !== '' && canAsk && !before;
    if (pivots) rejected.pivot = true;
    return { checks, stuck, pivots, canGoOn: pivots || (stuck === '' && canAsk) };
  };
  const verdict = async (problem: string, tree: string, why: Failure): Promise<Checked> => {
    const { checks, stuck, pivots, canGoOn } = next(problem, tree, why);
    await tellCounts(run, bead, checks);
    const exit: StageExit<'check'> = canGoOn ? 'problems' : 'failed';
    const said = stuck === '' ? problem : `${stuck} (${countsText(progressCounts(checks))})\n\n${problem}`;
    const because =
      stuck !== ''
        ? { ...why, cause: 'no_progress' as const }
        : marker
          ? why
          : failure('marker', {}, { about: said });
    const pivoted = before || pivots;
    const outcome = !marker ? 'unmarked' : claim === '' ? 'rejected' : 'not_done';
    return { exit, output: { ...noProof, checks, pivoted, problem: said, failure: because }, outcome };
  };
  const proved = await proveCandidate(run, ticket, bead);
  if (claim !== '' && marker) {
    // Else the next attempt would know only what the agent believes.
    const said = `${seenText(proved)}\n\nThe session reported by itself: ${claim}`;
    const isConfined = (io: StepIo) => Promise.resolve(io.ports.process.unsandboxed === undefined);
    const isOffline =
      refusedHosts(said) !== undefined && (await run.step('offline', z.boolean(), isConfined));
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
  const settled = { checks: earlier, pivoted: before, failure: null };
  const proof = { evidence: [...proved.evidence], candidate, tree, leftOut, ...settled };
  if (loop.hasPasses && pass < loop.minPasses) {
    const early = earlyClaim(bead, pass, loop);
    return { exit: 'again', output: { ...proof, problem: early }, outcome: 'claimed_early' };
  }
  const work = { candidate, evidence: proved.evidence };
  const { evidence, finding, problem } = await requireFailure(run, ticket, bead, work);
  // While the coder can still write a failing test, no person is asked.
  const neverRed = failure('never_red', {}, { about: problem });
  if (finding && next(problem, tree, neverRed).canGoOn) return verdict(problem, tree, neverRed);
  const others = finding ? [finding] : [];
  const weaker = await weakerTests(run, ticket, bead, { candidate, evidence, others });
  if (weaker !== '') return verdict(weaker, tree, failure('tests_weaker', {}, { about: weaker }));
  const guarded = await guard(run, ticket, bead, candidate);
  if (guarded.problem !== '') return verdict(guarded.problem, tree, whyGuarded(guarded));
  return { exit: 'passed', output: { ...proof, evidence: [...evidence], problem: '' }, outcome: 'passed' };
}

function seenText(proved: Proved): string {
  const seen =
    uncommittableProblem(proved) ||
    describeFailures(proved.evidence) ||
    proved.evidence.map(({ command }) => `\`${command}\` passed.`).join('\n') ||
    'The bead has no commands to run.';
  const nothing = proved.commit === null && proved.uncommittable.length === 0 ? 'No file was changed. ' : '';
  return `${nothing}On the files as the session left them:\n\n${seen}`;
}

export const onlyMarkerMissing =
  'The engine ran the checks of the bead on the files as you left them, and all checks pass. Only your status marker is missing.';

/** The work is proved: only the marker is asked for, and no code is reset as long as that may help. */
function unmarked({
  checks,
  pivoted,
  canAsk,
}: Pick<IterationState, 'checks' | 'pivoted'> & { readonly canAsk: boolean }): Checked {
  const problem = `${onlyMarkerMissing} Change nothing. Send the DEV_RECORD and the BEAD_STATUS block of the bead, in the form that was asked for.`;
  const exit: StageExit<'check'> = canAsk ? 'problems' : 'failed';
  const why = failure('marker', {}, { about: problem });
  const output = { ...noProof, checks, pivoted, problem, failure: why };
  return { exit, output, outcome: canAsk ? null : 'unmarked' };
}

async function lastRunMs(io: RecordIo, run: string): Promise<number> {
  const steps = await io.ports.store.steps(run);
  return steps.findLast(({ key }) => isWorkStep(key, ['code', 'fix']))?.activeMs ?? 0;
}

async function tellCounts(run: Run, bead: Bead, checks: IterationState['checks']): Promise<void> {
  await run.record('counts', z.null(), (io) => {
    const counts = countsText(progressCounts(checks));
    tell(io, `Bead ${bead.id}, check ${String(checks.length)} failed: ${counts}.`);
    return null;
  });
}

/** The reason why the bead's checks prove less; empty if they don't, or if a person accepts it. */
async function weakerTests(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  proof: { readonly candidate: string | null } & Pick<ReviewedWork, 'evidence' | 'others'>,
): Promise<string> {
  const { candidate: commit, evidence, others } = proof;
  if (commit === null && others.length === 0) return '';
  const about = { name: bead.id, title: `Bead ${bead.id}`, start: startOf(bead), commit };
  const work = { ...about, planned: bead.targetFiles, evidence, others, limits: run.limits };
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
  const change = { name: bead.id, from: startOf(bead), to: candidate, planned: bead.targetFiles };
  return guardChanges(run, ticket, { key: 'guarded', ...change });
}

function whyGuarded({ problem, hook }: Awaited<ReturnType<typeof guardChanges>>): Failure {
  if (hook) return failure('hook_refused', { hook: hook.hook, reason: hook.reason }, { about: hook.output });
  return failure('not_acceptable', { reason: problem }, { about: problem });
}

function whyFailed(evidence: Evidence, candidate: string | null): Failure {
  const why = commandFailure(evidence);
  return candidate === null && why.limit === null ? { ...why, cause: 'nothing_changed' } : why;
}

export function isProved(bead: Bead, evidence: readonly Evidence[]): boolean {
  const commands = evidence.map((item) => item.command);
  return (
    failuresOf(evidence).length === 0 &&
    bead.testCommands.every((command, index) => commands[index] === command)
  );
}

/** The reason why the marker claims no success (docs/decisions/031-bead-marker.md); empty if it does. */
export function claimProblem(marker: BeadStatusMarker | null): string {
  if (!marker) return 'There is no status marker.';
  const failed = Object.entries(marker.checks).filter(([, result]) => result !== 'pass');
  if (marker.status === 'done' && failed.length === 0) return '';
  const names = failed.map(([name]) => name).join(', ');
  const checks = names === '' ? '' : ` These checks are reported as failing: ${names}.`;
  return `The marker says status "${marker.status}".${checks}${marker.reason ? ` Reason given: ${marker.reason}` : ''}`;
}
