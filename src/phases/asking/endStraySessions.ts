import type { StepIo } from '../../engine/run.ts';
import { readNotes } from './askNotes.ts';

/**
 * Stops the sessions that other runs of the ticket had at work when they were cut off and then given up (superseded, archived): nobody else will,
 * and they would go on changing the worktree. Such a session may be noted only, without a row. Call it before files are reset or judged.
 */
export async function endStraySessions(io: StepIo, runId: string): Promise<void> {
  const { store, agent } = io.ports;
  for (const run of await store.runs(io.ticket)) {
    if (run.id === runId || run.parent === runId) continue;
    for (const step of await store.steps(run.id)) {
      if (step.state !== 'intent') continue;
      for (const { id, directory } of readNotes(step.notes).sessions) await agent.abort({ id, directory });
    }
  }
}
