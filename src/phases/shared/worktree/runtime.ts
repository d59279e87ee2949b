import { SetupProfile } from '../../../domain/documents/setupPlan.ts';
import type { PassedVariable, WorktreeInput } from '../../../domain/environment/inputs.ts';
import type { Service } from '../../../domain/environment/services.ts';
import { isRefusedVariable } from '../../../domain/environment/variables.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { CommandSandbox, CommandSecrets, TicketFiles } from '../../../engine/ports/ports.ts';
import type { Reservation } from '../../../engine/ports/workplacePort.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { readJson, storedJson, type StoreIo } from '../ticket/artifacts.ts';
import { ticketParts } from '../ticket/ticketParts.ts';

export const runtimePaths = {
  wrapper: '.ticket/runtime/execution-setup/run',
  environment: '.ticket/runtime/execution-setup/env.sh',
  profile: '.ticket/runtime/execution-setup-profile.json',
} as const;

type RuntimeEnvironment = SetupProfile['environment'];
const emptyEnvironment: RuntimeEnvironment = { path_prepend: [], variables: {} };

export interface Allowed {
  readonly inputs: readonly WorktreeInput[];
  readonly variables: readonly PassedVariable[];
  readonly services?: readonly Service[];
}
export const nothingAllowed: Allowed = { inputs: [], variables: [] };

export function profileOf(io: StoreIo): Promise<SetupProfile | undefined> {
  return storedJson(io, 'execution_setup_profile', SetupProfile);
}

/** The paths of the prepared environment. */
export async function preparedPaths(io: StepIo): Promise<readonly string[]> {
  const profile = await profileOf(io);
  if (!profile) return [];
  return [
    ...profile.temp_roots,
    ...[...profile.reusable_artifacts, ...profile.inputs].map(({ path }) => path),
  ];
}

export async function allowedBy(io: StoreIo): Promise<Allowed> {
  return (await profileOf(io)) ?? nothingAllowed;
}

export function secretsOf({ inputs, variables }: Allowed): CommandSecrets {
  return {
    variables: variables.filter(({ use }) => use === 'pass').map(({ name }) => name),
    files: inputs.filter(({ use }) => use !== 'leave').map(({ path }) => path),
  };
}

/**
 * `installs`: they fetch what the work needs. With another `cwd` they see of the ticket's worktree only the
 * tools installed there (docs/decisions/105-the-sandbox.md).
 */
export function sandboxOf(
  ticket: TicketSnapshot,
  { services = [] }: Allowed,
  { cwd, installs = false }: { readonly cwd: string; readonly installs?: boolean },
): CommandSandbox {
  const network = installs ? 'install' : services.length > 0 ? 'services' : 'none';
  const { worktree } = ticketParts(ticket);
  if (cwd === worktree) return { ticket: ticket.id, worktree, network };
  return { ticket: ticket.id, worktree: `${worktree}/${toolsFolder}`, network, isProof: true };
}

const toolsFolder = '.ticket/runtime/execution-setup';

/**
 * An agent can change these files, so present ones are never trusted: call it before every command of the
 * engine (docs/decisions/027-execution-setup.md). `read`: the profile, if just read. Returns the wrapper's
 * absolute path.
 */
export async function writeRuntime(
  io: StepIo,
  ticket: TicketSnapshot,
  folder = ticketParts(ticket).worktree,
  read?: { readonly profile: { readonly content: string } | undefined },
): Promise<string> {
  const stored = read ? read.profile : await io.ports.store.artifact(io.ticket, 'execution_setup_profile');
  const profile = readJson(SetupProfile, stored?.content);
  if (profile && stored) await io.ports.files.write(folder, runtimePaths.profile, stored.content);
  await io.ports.workplace.provide(folder, (profile ?? nothingAllowed).inputs);
  return writeWrapper(io, ticket, profile?.environment ?? emptyEnvironment, folder);
}

export async function writeWrapper(
  io: StepIo,
  ticket: TicketSnapshot,
  environment: RuntimeEnvironment,
  folder = ticketParts(ticket).worktree,
): Promise<string> {
  const { files } = io.ports;
  const places = { folder, worktree: ticketParts(ticket).worktree };
  const reservation = await io.ports.workplace.reserve(ticket.id);
  const own =
    folder === places.worktree ? reservation : reservation && { ...reservation, ...reservation.proof };
  return placeWrapper(files, places, environment, own);
}

export async function placeWrapper(
  files: Pick<TicketFiles, 'write'>,
  places: { readonly folder: string; readonly worktree: string },
  environment: RuntimeEnvironment,
  reservation?: Reservation,
): Promise<string> {
  const { folder } = places;
  await files.write(folder, runtimePaths.environment, environmentText(places, environment, reservation));
  await files.write(folder, runtimePaths.wrapper, wrapperText(folder), { executable: true });
  return `${folder}/${runtimePaths.wrapper}`;
}

/**
 * The variables come first, so that none can undo the search path. Tools below `.ticket/` are in the ticket's
 * own worktree.
 */
function environmentText(
  { folder, worktree }: { readonly folder: string; readonly worktree: string },
  environment: RuntimeEnvironment,
  reservation: Reservation | undefined,
): string {
  const lines = Object.entries(environment.variables)
    .filter(([name]) => !isRefusedVariable(name))
    .map(([name, value]) => `export ${name}=${shellQuote(value)}`);
  if (reservation) {
    const { portBase, ports, temporary } = reservation;
    lines.push(
      `export BEADSMITH_PORT_BASE=${portBase} BEADSMITH_PORTS=${ports} TMPDIR=${shellQuote(temporary)}`,
    );
    lines.push('mkdir -p "$TMPDIR"');
  }
  const folders = environment.path_prepend.map((path) =>
    shellQuote(`${path.startsWith('.ticket/') ? worktree : folder}/${path}`),
  );
  if (folders.length > 0) lines.push(`export PATH=${folders.join(':')}:"$PATH"`);
  return ['# Written by Beadsmith before every run; changes made here are lost.', ...lines, ''].join('\n');
}

function wrapperText(worktree: string): string {
  return [
    '#!/bin/sh',
    '# Written by Beadsmith before every run; changes made here are lost.',
    `. ${shellQuote(`${worktree}/${runtimePaths.environment}`)}`,
    'exec "$@"',
    '',
  ].join('\n');
}

/** A text as one word of a POSIX shell. NUL can't be passed to a program and is left out. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll('\u0000', '').replaceAll("'", "'\\''")}'`;
}
