import * as z from 'zod';
import { SetupProfile, type SetupResult } from '../../../domain/documents/setupPlan.ts';
import type { Service } from '../../../domain/environment/services.ts';
import type { Evidence } from '../../../domain/core/evidence.ts';
import { CommitSha } from '../../../domain/core/ids.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { artifactChange, readJson } from '../ticket/artifacts.ts';
import { changesBootstrap } from '../worktree/bootstrap.ts';
import { failuresOf, runCommands } from '../worktree/commands.ts';
import { type Allowed, nothingAllowed, writeRuntime, writeWrapper } from '../worktree/runtime.ts';
import { servicesFor } from '../worktree/services.ts';

/** A commit that is checked out in the ticket's scratch worktree, and ready for commands. */
export interface Scratch {
  readonly path: string;
  /** Absolute path of the wrapper that commands run in. */
  readonly wrapper: string;
  /**
   * The paths that it holds beside the commit: paths that the bootstrap made, and what a person lets the work
   * have.
   */
  readonly kept: readonly string[];
  /**
   * The bootstrap commands that failed, or the service that isn't ready: then nothing else is worth running
   * there.
   */
  readonly failed: readonly Evidence[];
  /** Tools that weren't as the bootstrap had left them, so that it was run again. */
  readonly remade?: readonly string[];
  /**
   * Ends the services of this tree. To be called before another one is opened, also when a command throws.
   */
  readonly end: () => Promise<void>;
}

/**
 * The preparation of the scratch worktree, so that the next commit can use it again. `keep`: what the
 * bootstrap made.
 */
const Prepared = z.object({ commit: CommitSha, commands: z.array(z.string()), keep: z.array(z.string()) });

/**
 * Checks out a commit where nothing lies but what it holds and what the bootstrap commands make of it
 * (docs/decisions/048-clean-room-proof.md). The bootstrap runs again when its commands change, or a file that
 * decides what they install; `cold`: in any case, with nothing kept.
 */
export async function openScratch(
  io: StepIo,
  ticket: TicketSnapshot,
  commit: string,
  { limits, cold = false }: { readonly limits: Run['limits']; readonly cold?: boolean },
): Promise<Scratch> {
  const { git, store } = io.ports;
  const stored = await store.artifact(ticket.id, 'execution_setup_profile');
  const profile = readJson(SetupProfile, stored?.content);
  const commands = profile?.bootstrap_commands ?? [];
  const before = readJson(Prepared, (await store.artifact(ticket.id, 'scratch_environment'))?.content);
  const fits =
    !cold &&
    before !== undefined &&
    sameCommands(before.commands, commands) &&
    !(await changesBootstrap(io, { from: before.commit, to: commit, commands }));
  const altered = fits && commands.length > 0 ? await git.alteredScratchTools(ticket.id) : [];
  const isWarm = fits && altered?.length === 0;
  if (altered && altered.length > 0) tellRemade(io, ticket, altered);
  await io.fence();
  // What an earlier proof left outside of the tree could make this one green. What a bootstrap put into the
  // home of its box stays with what it made.
  await io.ports.workplace.emptyProof(ticket.id, { home: !isWarm || commands.length === 0 });
  const inputs = (profile?.inputs ?? []).map((input) => input.path);
  const { path, created } = await git.checkOutScratch(ticket.id, commit, isWarm ? before.keep : []);
  const wrapper = await writeRuntime(io, ticket, path, { profile: stored });
  const place = { path, wrapper, services: profile?.services ?? [], allowed: profile ?? nothingAllowed };
  if (commands.length === 0 || (isWarm && !created))
    return withServices(io, ticket, place, { failed: [], kept: [...(before?.keep ?? []), ...inputs] });
  const { path_prepend = [] } = profile?.environment ?? {};
  const made = await bootstrap(io, ticket, {
    ...place,
    commit,
    commands,
    inputs,
    limits,
    folders: path_prepend,
  });
  return { ...(await withServices(io, ticket, place, made)), remade: (altered ?? []).slice(0, mostRemade) };
}

/** So many paths of altered tools are kept with the evidence. */
const mostRemade = 100;

function tellRemade(
  { ports: { events, clock } }: StepIo,
  ticket: TicketSnapshot,
  altered: readonly string[],
): void {
  const more = altered.length === 1 ? '' : ` and ${String(altered.length - 1)} more`;
  const text = `Tools are no longer as the bootstrap left them (${altered[0] ?? ''}${more}). They are installed again.`;
  events.emit({ type: 'activity', ticket: ticket.id, at: clock.now(), source: 'engine', kind: 'info', text });
}

/** Checks out a commit in the scratch worktree to be read there; nothing is run. Answers the path. */
export async function readInScratch(io: StepIo, ticket: TicketSnapshot, commit: string): Promise<string> {
  const before = readJson(
    Prepared,
    (await io.ports.store.artifact(ticket.id, 'scratch_environment'))?.content,
  );
  await io.fence();
  const { path, created } = await io.ports.git.checkOutScratch(ticket.id, commit, before?.keep ?? []);
  // What the bootstrap made is gone with the folder, so nothing may be taken as prepared.
  if (created && before)
    io.save(artifactChange(ticket, 'scratch_environment', { ...before, commands: [], keep: [] }));
  return path;
}

/**
 * As `openScratch`, with an environment that isn't in the database yet, and with nothing kept from an earlier
 * time: so a setup is proved. What it made is kept for the first proof.
 */
export async function openFreshScratch(
  io: StepIo,
  ticket: TicketSnapshot,
  commit: string,
  { commands, services, environment, allowed, limits }: FreshSetup,
): Promise<Scratch> {
  await io.fence();
  await io.ports.workplace.emptyProof(ticket.id, { home: true });
  const { path } = await io.ports.git.checkOutScratch(ticket.id, commit, []);
  await io.ports.workplace.provide(path, allowed.inputs);
  const wrapper = await writeWrapper(io, ticket, environment, path);
  const inputs = allowed.inputs.map((input) => input.path);
  const place = { path, wrapper, services, allowed };
  if (commands.length === 0) return withServices(io, ticket, place, { failed: [], kept: inputs });
  const made = await bootstrap(io, ticket, {
    ...place,
    commit,
    commands,
    inputs,
    limits,
    folders: environment.path_prepend,
  });
  return withServices(io, ticket, place, made);
}

/** The place with its services started, unless the bootstrap failed. */
async function withServices(
  io: StepIo,
  ticket: TicketSnapshot,
  {
    path,
    wrapper,
    services,
    allowed,
  }: Pick<FreshSetup, 'services' | 'allowed'> & Pick<Scratch, 'path' | 'wrapper'>,
  { failed, kept }: Pick<Scratch, 'failed' | 'kept'>,
): Promise<Scratch> {
  const running = await servicesFor(io, ticket, failed.length > 0 ? [] : services, {
    cwd: path,
    wrapper,
    allowed,
  });
  return { path, wrapper, kept, failed: running.failed ? [running.failed] : failed, end: running.end };
}

/** An environment before it is in the database. */
interface FreshSetup {
  readonly commands: readonly string[];
  readonly services: readonly Service[];
  readonly environment: SetupResult['environment'];
  readonly allowed: Allowed;
  readonly limits: Run['limits'];
}

interface Bootstrap extends Omit<FreshSetup, 'environment' | 'services'> {
  readonly path: string;
  readonly wrapper: string;
  readonly commit: string;
  readonly inputs: readonly string[];
  /** Folders with tools, which are on the search path. */
  readonly folders: readonly string[];
}

/** Answers the commands that failed, and what the others made. */
async function bootstrap(
  io: StepIo,
  ticket: TicketSnapshot,
  { path, wrapper, commit, commands, inputs, folders, allowed, limits }: Bootstrap,
): Promise<Pick<Scratch, 'failed' | 'kept'>> {
  const { git } = io.ports;
  const ran = await runCommands(io, ticket, {
    commands,
    wrapper,
    limits,
    allowed,
    cwd: path,
    installs: true,
  });
  const evidence = ran.map((item) => ({ ...item, bootstrap: true }));
  const failed = failuresOf(evidence);
  if (failed.length > 0) return { failed, kept: [] };
  const { changes, ignored } = await git.scratchChanges(ticket.id);
  const made = [
    ...ignored,
    ...changes.filter(({ state }) => state === 'untracked').map(({ path: name }) => name),
  ];
  // Inputs come from the person's checkout each time, as long as they are allowed.
  const keep = made.filter((name) => !inputs.includes(name));
  // An installer may rewrite tracked files, which aren't what is to be proved then.
  await git.checkOutScratch(ticket.id, commit, [...keep, ...inputs]);
  await git.noteScratchTools(ticket.id, { made: keep, folders });
  io.save(artifactChange(ticket, 'scratch_environment', Prepared.parse({ commit, commands, keep })));
  return { failed: [], kept: [...keep, ...inputs] };
}

function sameCommands(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((command, index) => command === b[index]);
}
