import * as z from 'zod';
import { canonicalJson } from '../../../base/json.ts';
import { SetupProfile, type SetupResult } from '../../../domain/documents/setupPlan.ts';
import type { Service } from '../../../domain/environment/services.ts';
import type { Evidence } from '../../../domain/core/evidence.ts';
import { CommitSha } from '../../../domain/core/ids.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { namesText } from '../../../base/listed.ts';
import { artifactChange, readJson, say, storedJson } from '../ticket/artifacts.ts';
import { changesBootstrap } from '../worktree/bootstrap.ts';
import { failuresOf, runCommands } from '../worktree/commands.ts';
import { type Allowed, nothingAllowed, writeRuntime, writeWrapper } from '../worktree/runtime.ts';
import { servicesFor } from '../worktree/services.ts';

export interface Scratch {
  readonly path: string;
  readonly wrapper: string;
  /** Paths beside the commit: what the bootstrap made, and what a person lets the work have. */
  readonly kept: readonly string[];
  /** Bootstrap commands, or the service that isn't ready. */
  readonly failed: readonly Evidence[];
  readonly remade?: readonly string[];
  readonly end: () => Promise<void>;
}

const Prepared = z.object({ commit: CommitSha, commands: z.array(z.string()), keep: z.array(z.string()) });

/**
 * Only what the commit holds and its bootstrap makes (docs/decisions/048-clean-room-proof.md). `cold`:
 * nothing is kept.
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
  const before = await storedJson(io, 'scratch_environment', Prepared);
  const fits =
    !cold &&
    before !== undefined &&
    canonicalJson(before.commands) === canonicalJson(commands) &&
    !(await changesBootstrap(io, { from: before.commit, to: commit, commands }));
  const altered = fits && commands.length > 0 ? await git.alteredScratchTools(ticket.id) : [];
  const isWarm = fits && altered?.length === 0;
  if (altered && altered.length > 0) tellRemade(io, altered);
  await io.fence();
  // What an earlier proof left outside of the tree could make this one green.
  await io.ports.workplace.emptyProof(ticket.id, { home: !isWarm || commands.length === 0 });
  const inputs = (profile?.inputs ?? []).map((input) => input.path);
  const { path, created } = await git.checkOutScratch(ticket.id, commit, isWarm ? before.keep : []);
  const wrapper = await writeRuntime(io, ticket, path, { profile: stored });
  const place = { path, wrapper, services: profile?.services ?? [], allowed: profile ?? nothingAllowed };
  if (commands.length === 0 || (isWarm && !created))
    return withServices(io, ticket, place, { failed: [], kept: [...(before?.keep ?? []), ...inputs] });
  const folders = profile?.environment.path_prepend ?? [];
  const made = await bootstrap(io, ticket, { ...place, commit, commands, inputs, limits, folders });
  return { ...(await withServices(io, ticket, place, made)), remade: (altered ?? []).slice(0, mostRemade) };
}

const mostRemade = 100;

function tellRemade(io: StepIo, altered: readonly string[]): void {
  const tools = namesText(altered, 1);
  say(io, `Tools are no longer as the bootstrap left them (${tools}). They are installed again.`);
}

/** Nothing is run there. Answers the path. */
export async function readInScratch(io: StepIo, ticket: TicketSnapshot, commit: string): Promise<string> {
  const before = await storedJson(io, 'scratch_environment', Prepared);
  await io.fence();
  const { path, created } = await io.ports.git.checkOutScratch(ticket.id, commit, before?.keep ?? []);
  // What the bootstrap made is gone with the folder, so nothing may be taken as prepared.
  if (created && before)
    io.save(artifactChange(ticket, 'scratch_environment', { ...before, commands: [], keep: [] }));
  return path;
}

/** For a setup that isn't stored yet: nothing is kept from before. */
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
  const folders = environment.path_prepend;
  const made = await bootstrap(io, ticket, { ...place, commit, commands, inputs, limits, folders });
  return withServices(io, ticket, place, made);
}

async function withServices(
  io: StepIo,
  ticket: TicketSnapshot,
  place: Pick<FreshSetup, 'services' | 'allowed'> & Pick<Scratch, 'path' | 'wrapper'>,
  { failed, kept }: Pick<Scratch, 'failed' | 'kept'>,
): Promise<Scratch> {
  const { path, wrapper, allowed } = place;
  const services = failed.length > 0 ? [] : place.services;
  const running = await servicesFor(io, ticket, services, { cwd: path, wrapper, allowed });
  return { path, wrapper, kept, failed: running.failed ? [running.failed] : failed, end: running.end };
}

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
  readonly folders: readonly string[];
}

async function bootstrap(
  io: StepIo,
  ticket: TicketSnapshot,
  { path, wrapper, commit, commands, inputs, folders, allowed, limits }: Bootstrap,
): Promise<Pick<Scratch, 'failed' | 'kept'>> {
  const { git } = io.ports;
  const work = { commands, wrapper, limits, allowed, cwd: path, installs: true };
  const ran = await runCommands(io, ticket, work);
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
