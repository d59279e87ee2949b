import * as z from 'zod';
import { SetupProfile, type SetupResult } from '../../../domain/documents/setupPlan.ts';
import type { Evidence } from '../../../domain/evidence.ts';
import { CommitSha } from '../../../domain/ids.ts';
import type { TicketSnapshot } from '../../../domain/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { artifactChange, readJson } from '../artifacts.ts';
import { changesDependencies } from '../bootstrap.ts';
import { failuresOf, runCommands } from '../commands.ts';
import { type Allowed, writeRuntime, writeWrapper } from '../runtime.ts';

/** A commit that is checked out in the ticket's scratch worktree, and ready for commands. */
export interface Scratch {
  readonly path: string;
  /** Absolute path of the wrapper that commands run in. */
  readonly wrapper: string;
  /** The bootstrap commands that failed: then nothing else is worth running there. */
  readonly failed: readonly Evidence[];
}

/** What the scratch worktree was prepared with, so that the next commit can use it again. `keep`: what the bootstrap made. */
const Prepared = z.object({ commit: CommitSha, commands: z.array(z.string()), keep: z.array(z.string()) });

/**
 * Checks out a commit where nothing lies but what it holds and what the bootstrap commands make of it (docs/decisions/048-clean-room-proof.md). The
 * bootstrap runs again when its commands change, or when a file changes that says what is to be installed; `cold`: in any case, with nothing kept.
 */
export async function openScratch(
  io: StepIo,
  ticket: TicketSnapshot,
  commit: string,
  { limits, cold = false }: { readonly limits: Run['limits']; readonly cold?: boolean },
): Promise<Scratch> {
  const { git, store } = io.ports;
  const profile = readJson(SetupProfile, (await store.artifact(ticket.id, 'execution_setup_profile'))?.content);
  const commands = profile?.bootstrap_commands ?? [];
  const before = readJson(Prepared, (await store.artifact(ticket.id, 'scratch_environment'))?.content);
  const isWarm =
    !cold && before !== undefined && sameCommands(before.commands, commands) && !(await changesDependencies(io, before.commit, commit));
  await io.fence();
  const inputs = (profile?.inputs ?? []).map((input) => input.path);
  const { path, created } = await git.checkOutScratch(ticket.id, commit, isWarm ? before.keep : []);
  const wrapper = await writeRuntime(io, ticket, path);
  if (commands.length === 0 || (isWarm && !created)) return { path, wrapper, failed: [] };
  return bootstrap(io, ticket, { path, wrapper, commit, commands, inputs, limits });
}

/**
 * As `openScratch`, with an environment that isn't in the database yet, and with nothing kept from an earlier time: so a setup is proved. What it
 * made is kept for the first proof.
 */
export async function openFreshScratch(
  io: StepIo,
  ticket: TicketSnapshot,
  commit: string,
  { commands, environment, allowed, limits }: FreshSetup,
): Promise<Scratch> {
  await io.fence();
  const { path } = await io.ports.git.checkOutScratch(ticket.id, commit, []);
  await io.ports.workplace.provide(path, allowed.inputs);
  const wrapper = await writeWrapper(io, ticket, environment, path);
  const inputs = allowed.inputs.map((input) => input.path);
  if (commands.length === 0) return { path, wrapper, failed: [] };
  return bootstrap(io, ticket, { path, wrapper, commit, commands, inputs, allowed, limits });
}

/** An environment before it is in the database. */
interface FreshSetup {
  readonly commands: readonly string[];
  readonly environment: SetupResult['environment'];
  readonly allowed: Allowed;
  readonly limits: Run['limits'];
}

interface Bootstrap extends Omit<FreshSetup, 'environment' | 'allowed'> {
  readonly path: string;
  readonly wrapper: string;
  readonly commit: string;
  readonly inputs: readonly string[];
  readonly allowed?: Allowed;
}

async function bootstrap(io: StepIo, ticket: TicketSnapshot, { commit, inputs, path, ...work }: Bootstrap): Promise<Scratch> {
  const { git } = io.ports;
  const { wrapper, commands } = work;
  const ran = await runCommands(io, ticket, { ...work, cwd: path });
  const evidence = ran.map((item) => ({ ...item, bootstrap: true }));
  const failed = failuresOf(evidence);
  if (failed.length > 0) return { path, wrapper, failed };
  const { changes, ignored } = await git.scratchChanges(ticket.id);
  const made = [...ignored, ...changes.filter(({ state }) => state === 'untracked').map(({ path: name }) => name)];
  // Inputs come from the person's checkout each time, as long as they are allowed.
  const keep = made.filter((name) => !inputs.includes(name));
  // An installer may rewrite tracked files, which aren't what is to be proved then.
  await git.checkOutScratch(ticket.id, commit, [...keep, ...inputs]);
  io.save(artifactChange(ticket, 'scratch_environment', Prepared.parse({ commit, commands, keep })));
  return { path, wrapper, failed: [] };
}

function sameCommands(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((command, index) => command === b[index]);
}
