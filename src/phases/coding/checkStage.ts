import * as z from 'zod';
import type { Bead, BeadStatusMarker } from '../../domain/beads/bead.ts';
import { Evidence } from '../../domain/evidence.ts';
import { CommitSha } from '../../domain/ids.ts';
import { timeoutMs } from '../../domain/settings.ts';
import type { StageExit } from '../../domain/workflow/beadStages.ts';
import type { StageHandler } from '../../engine/run/stage.ts';
import { ticketParts } from '../shared/ask/ticketParts.ts';
import { activeMs, describeEvidence, failuresOf, runCommands } from '../shared/commands.ts';
import { writeRuntime } from '../shared/runtime.ts';

const Checked = z.object({ evidence: z.array(Evidence), tree: CommitSha });

/**
 * Checks what the coder reports (docs/decisions/030-engine-runs-the-checks.md): the marker must say done with four passes, and then the engine runs
 * the bead's test commands itself. Otherwise the coder continues in its session, while there are continuations left.
 */
export const checkStage: StageHandler<'check'> = async (run, ticket, { bead, visit, session, marker }) => {
  const verdict = (problem: string) => {
    const canGoOn = visit <= run.limits.maxContinuations && session !== null;
    const exit: StageExit<'check'> = canGoOn ? 'problems' : 'failed';
    return { exit, output: { evidence: [], tree: null, problem } };
  };
  const claim = claimProblem(marker);
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
  return { exit: 'passed', output: { ...checked, problem: '' } };
};

/** Whether every test command of the bead was seen to pass, each in its turn. */
export function isProved(bead: Bead, evidence: readonly Evidence[]): boolean {
  const commands = evidence.map((item) => item.command);
  return failuresOf(evidence).length === 0 && bead.testCommands.every((command, index) => commands[index] === command);
}

/** Whether the marker claims success (docs/decisions/031-bead-marker.md); else the reason why not. */
export function claimProblem(marker: BeadStatusMarker | null): string {
  if (!marker) return 'There is no status marker.';
  const failed = Object.entries(marker.checks).filter(([, result]) => result !== 'pass');
  if (marker.status === 'done' && failed.length === 0) return '';
  const checks = failed.length > 0 ? ` These checks are reported as failing: ${failed.map(([name]) => name).join(', ')}.` : '';
  return `The marker says status "${marker.status}".${checks}${marker.reason ? ` Reason given: ${marker.reason}` : ''}`;
}
