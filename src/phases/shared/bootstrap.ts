import { SetupProfile } from '../../domain/documents/setupPlan.ts';
import { commandFailure, failureText } from '../../domain/beads/failure.ts';
import { BeadsmithError } from '../../domain/errors.ts';
import type { Evidence } from '../../domain/evidence.ts';
import { namesDependencies } from '../../domain/proof/provingFiles.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Run, StepIo } from '../../engine/run/run.ts';
import { readJson } from './artifacts.ts';
import { failuresOf, runCommands } from './commands.ts';
import { writeRuntime } from './runtime.ts';
import { remakeWorktree, takingBack } from './worktree.ts';

/**
 * As `remakeWorktree`, and prepares the new worktree as the profile says: it has no dependencies and no inputs. Throws what that throws, and
 * SETUP_FAILED if a bootstrap command fails.
 */
export async function remakeAndPrepare(io: StepIo, ticket: TicketSnapshot, limits: Run['limits']): Promise<void> {
  if (!(await remakeWorktree(io, ticket))) return;
  const [failed] = await bootstrap(io, ticket, limits);
  if (!failed) return;
  const why = commandFailure({ ...failed, bootstrap: true });
  throw new BeadsmithError('SETUP_FAILED', failureText(why), { diagnostics: { failure: why } });
}

/**
 * After a reset from one commit to another: runs the bootstrap again if a file differs that says what is to be installed, because what is installed is
 * what the abandoned work asked for. A failure isn't the bead's and shows when its commands run.
 */
export async function prepareAfterReset(
  io: StepIo,
  ticket: TicketSnapshot,
  { from, to, limits }: { readonly from: string; readonly to: string; readonly limits: Run['limits'] },
): Promise<void> {
  if (await changesDependencies(io, from, to)) await bootstrap(io, ticket, limits);
}

/** Whether two commits differ in a file that says what is to be installed. */
export async function changesDependencies(io: StepIo, from: string, to: string): Promise<boolean> {
  if (from === to) return false;
  const files = await io.ports.git.compare(from, to);
  return files.some(({ path, oldPath }) => namesDependencies(path) || (oldPath !== null && namesDependencies(oldPath)));
}

/** Returns the command that failed. */
async function bootstrap(io: StepIo, ticket: TicketSnapshot, limits: Run['limits']): Promise<readonly Evidence[]> {
  const profile = readJson(SetupProfile, (await io.ports.store.artifact(io.ticket, 'execution_setup_profile'))?.content);
  if (!profile) return [];
  const wrapper = await writeRuntime(io, ticket);
  const work = { commands: profile.bootstrap_commands, wrapper, limits };
  return failuresOf(await takingBack(io, ticket, () => runCommands(io, ticket, work)));
}
