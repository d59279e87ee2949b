import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type * as server from '../serve/main.ts';
import type { ServedTeam, ServeOptions } from '../serve/main.ts';
import { InstallationKey } from '../../adapters/keys/installationKey.ts';
import { configRoot } from '../../adapters/system/configRoot.ts';
import { codeOf, readJson } from '../../adapters/system/files.ts';
import { hasAgentAbove } from '../../adapters/system/startedBy.ts';
import { openBackups } from '../../app/backups.ts';
import { Cleaner } from '../../app/cleaning/cleaner.ts';
import { checkMachine, checkRepository } from '../../app/checkup.ts';
import { createApp } from '../../app/createApp.ts';
import { moveTicket } from '../../app/runner/moveTicket.ts';
import { openFleet } from '../../app/runner/fleet.ts';
import { startTeamRunner } from '../../app/runner/teamRunner.ts';
import { openTeam, startTeam, teamParts } from '../../app/team.ts';
import { openTeamDevices } from '../../app/teamDevices.ts';
import { locations } from '../../app/locations.ts';
import { openVerifier } from '../../app/verify/openVerifier.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';

/** Everything that commands open on a repository. */
export interface Product {
  readonly openApp: typeof createApp;
  readonly openBackups: typeof openBackups;
  readonly openVerifier: typeof openVerifier;
  readonly openTeam: typeof openTeam;
  readonly openTeamDevices: typeof openTeamDevices;
  readonly startTeam: typeof startTeam;
  readonly teamParts: typeof teamParts;
  readonly startRunner: typeof startTeamRunner;
  readonly moveTicket: typeof moveTicket;
  readonly openFleet: typeof openFleet;
  /** Throws TEAM_PARTS in the extension's package, which has no server. */
  readonly serveTeam: (options: ServeOptions) => Promise<ServedTeam>;
  /** A line for a file of trusted keys. */
  readonly keyLine: (env: Readonly<Record<string, string | undefined>>) => Promise<string>;
  readonly openCleaner: (...parts: ConstructorParameters<typeof Cleaner>) => Pick<Cleaner, 'list' | 'remove'>;
  /** Of this installation. */
  readonly version: () => Promise<string>;
  readonly checkMachine: typeof checkMachine;
  readonly checkRepository: typeof checkRepository;
  /** True if an agent, or a command of a ticket, started this process. */
  readonly isByAgent: () => boolean;
}

export const product: Product = {
  openApp: createApp,
  openBackups,
  openVerifier,
  openTeam,
  openTeamDevices,
  startTeam,
  teamParts,
  startRunner: startTeamRunner,
  moveTicket,
  openFleet,
  serveTeam,
  keyLine: (env) => new InstallationKey(configRoot(env)).line(),
  openCleaner: (parts) => new Cleaner(parts),
  version,
  checkMachine,
  checkRepository,
  isByAgent: hasAgentAbove,
};

async function serveTeam(options: ServeOptions): Promise<ServedTeam> {
  let program: typeof server;
  try {
    program = (await import(locations.serve.href)) as typeof program;
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    const what = 'beadsmith-cli';
    const advice = `Run "npm install --global ${what}-${await version()}.tgz". The file comes with the extension's .vsix.`;
    throw new BeadsmithError('TEAM_PARTS', { what, advice }, { cause: error });
  }
  return program.serveTickets(options);
}

async function version(): Promise<string> {
  const manifest = await readJson(fileURLToPath(locations.manifest), z.object({ version: z.string() }));
  return manifest?.version ?? 'unknown';
}
