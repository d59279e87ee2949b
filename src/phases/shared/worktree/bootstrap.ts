import { SetupProfile } from '../../../domain/documents/setupPlan.ts';
import { commandFailure, failureText } from '../../../domain/beads/failure.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { Evidence } from '../../../domain/core/evidence.ts';
import { decidesBootstrap } from '../../../domain/proof/provingFiles.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { readJson } from '../ticket/artifacts.ts';
import { failuresOf, runCommands } from './commands.ts';
import { writeRuntime } from './runtime.ts';
import { remakeWorktree, takingBack } from './worktree.ts';

/**
 * As `remakeWorktree`, and prepares the new worktree as the profile says: it has no dependencies and no
 * inputs. Answers whether it was made. Throws what `remakeWorktree` throws, and SETUP_FAILED if a bootstrap
 * command fails.
 */
export async function remakeAndPrepare(
  io: StepIo,
  ticket: TicketSnapshot,
  limits: Run['limits'],
): Promise<boolean> {
  if (!(await remakeWorktree(io, ticket))) return false;
  const [failed] = await bootstrap(io, ticket, limits);
  if (!failed) return true;
  const why = commandFailure({ ...failed, bootstrap: true });
  throw new BeadsmithError('SETUP_FAILED', failureText(why), { diagnostics: { failure: why } });
}

/**
 * After a reset from one commit to another: runs the bootstrap again if a file differs that decides what it
 * installs, because what is installed is what the abandoned work asked for. A failure isn't the bead's and
 * shows when its commands run.
 */
export async function prepareAfterReset(
  io: StepIo,
  ticket: TicketSnapshot,
  { from, to, limits }: { readonly from: string; readonly to: string; readonly limits: Run['limits'] },
): Promise<void> {
  const commands = (await profileOf(io))?.bootstrap_commands ?? [];
  if (commands.length > 0 && (await changesBootstrap(io, { from, to, commands })))
    await bootstrap(io, ticket, limits);
}

/** Returns true if two commits differ in a file that decides what the bootstrap commands install. */
export async function changesBootstrap(
  io: StepIo,
  {
    from,
    to,
    commands,
  }: { readonly from: string; readonly to: string; readonly commands: readonly string[] },
): Promise<boolean> {
  if (from === to) return false;
  const files = await io.ports.git.compare(from, to);
  return files.some(({ path, oldPath }) =>
    [path, oldPath].some((name) => name !== null && decidesBootstrap(name, commands)),
  );
}

/** Returns the command that failed. */
async function bootstrap(
  io: StepIo,
  ticket: TicketSnapshot,
  limits: Run['limits'],
): Promise<readonly Evidence[]> {
  const profile = await profileOf(io);
  if (!profile) return [];
  const wrapper = await writeRuntime(io, ticket);
  const work = { commands: profile.bootstrap_commands, wrapper, limits, installs: true };
  return failuresOf(await takingBack(io, ticket, () => runCommands(io, ticket, work)));
}

async function profileOf(io: StepIo): Promise<SetupProfile | undefined> {
  return readJson(
    SetupProfile,
    (await io.ports.store.artifact(io.ticket, 'execution_setup_profile'))?.content,
  );
}
