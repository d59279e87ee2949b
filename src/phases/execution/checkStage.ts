import * as z from 'zod';
import { Evidence } from '../../domain/evidence.ts';
import { CommitSha } from '../../domain/ids.ts';
import { timeoutMs } from '../../domain/settings.ts';
import type { StageHandler } from '../../engine/run.ts';
import { activeMs } from './activeMs.ts';
import { claimProblem } from './beadProof.ts';
import { describeEvidence, failuresOf } from './describeEvidence.ts';
import { IterationInput, type IterationState, iterationStateOf } from './iteration.ts';
import { runCommands } from './runCommands.ts';
import { ticketParts } from './ticketParts.ts';
import { toJson } from './toJson.ts';
import { writeRuntime } from './writeRuntime.ts';

const Checked = z.object({ evidence: z.array(Evidence), tree: CommitSha });

/**
 * Judges what the coder says by what the engine sees (architecture.md section 9): the marker must say done with four passes, and then the engine
 * runs the bead's test commands itself. Otherwise the coder goes on in its session, while there are continuations left.
 */
export const checkStage: StageHandler = async (run, ticket, input, before) => {
  const { bead } = IterationInput.parse(input);
  const state = iterationStateOf(before);
  const verdict = (problem: string) => {
    const again = state.visit <= run.limits.maxContinuations && state.session !== null;
    return { exit: again ? 'again' : 'failed', result: toJson({ ...state, evidence: [], tree: null, problem }) };
  };
  const claim = claimProblem(state.marker);
  if (claim !== '') return verdict(claim);
  const { worktree } = ticketParts(ticket);
  const whole = timeoutMs(run.limits.perIterationTimeout);
  const checked = await run.step(
    'tests',
    Checked,
    async (io) => {
      const budgetMs = whole - (await activeMs(io, run.runId));
      const wrapper = await writeRuntime(io, ticket);
      const evidence = await runCommands(io, ticket, { commands: bead.testCommands, wrapper, limits: run.limits, budgetMs });
      return { evidence, tree: await io.ports.git.writeTree(worktree) };
    },
    // Each command has its own limit; this one only makes the engine count the time.
    { activeMs: (bead.testCommands.length + 1) * timeoutMs(run.limits.commandTimeout) },
  );
  const failures = failuresOf(checked.evidence);
  if (failures.length > 0) return verdict(failures.map((item) => describeEvidence(item)).join('\n\n'));
  const next: IterationState = { ...state, ...checked, problem: '' };
  return { exit: 'passed', result: toJson(next) };
};
