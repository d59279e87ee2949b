import { commandFailure, failureText } from '../../../domain/beads/failure.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { Evidence } from '../../../domain/core/evidence.ts';
import { decidesBootstrap } from '../../../domain/proof/provingFiles.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { failuresOf, runCommands } from './commands.ts';
import { pathsOf } from './commit.ts';
import { profileOf, writeRuntime } from './runtime.ts';
import { remakeWorktree, takingBack } from './worktree.ts';

/** Answers whether the worktree was made. Throws what `remakeWorktree` throws, and SETUP_FAILED. */
export async function remakeAndPrepare(
  io: StepIo,
  ticket: TicketSnapshot,
  limits: Run['limits'],
): Promise<boolean> {
  if (!(await remakeWorktree(io, ticket))) return false;
  await prepareMade(io, ticket, limits);
  return true;
}

/** Installs by the approved setup what a worktree that was just made doesn't have. Throws SETUP_FAILED. */
export async function prepareMade(io: StepIo, ticket: TicketSnapshot, limits: Run['limits']): Promise<void> {
  const [failed] = await bootstrap(io, ticket, limits);
  if (!failed) return;
  const why = commandFailure({ ...failed, bootstrap: true });
  throw new BeadsmithError('SETUP_FAILED', failureText(why), { diagnostics: { failure: why } });
}

/** A failure isn't the bead's; it shows when commands run. */
export async function prepareAfterReset(
  io: StepIo,
  ticket: TicketSnapshot,
  { from, to, limits }: { readonly from: string; readonly to: string; readonly limits: Run['limits'] },
): Promise<void> {
  const commands = (await profileOf(io))?.bootstrap_commands ?? [];
  if (commands.length > 0 && (await changesBootstrap(io, { from, to, commands })))
    await bootstrap(io, ticket, limits);
}

export async function changesBootstrap(
  io: StepIo,
  about: { readonly from: string; readonly to: string; readonly commands: readonly string[] },
): Promise<boolean> {
  const { from, to, commands } = about;
  if (from === to) return false;
  const files = await io.ports.git.compare(from, to);
  return files.flatMap(pathsOf).some((path) => decidesBootstrap(path, commands));
}

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
