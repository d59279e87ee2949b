import { hostname, userInfo } from 'node:os';
import { InstallationKey } from '../adapters/keys/installationKey.ts';
import { keyIdOfSpki } from '../adapters/keys/signatures.ts';
import { PostgresDatabase } from '../adapters/store/postgres/postgresDatabase.ts';
import { checkShared, prepareShared } from '../adapters/store/postgres/prepare.ts';
import { type Decided, type Pairing, TeamKeys } from '../adapters/store/postgres/teamKeys.ts';
import { whenFree } from '../adapters/store/sql/whenFree.ts';
import { configRoot } from '../adapters/system/configRoot.ts';
import { invalidInput } from '../domain/core/errors.ts';
import type { TeamKey, TeamRole } from '../domain/team/keys.ts';
import { locations } from './locations.ts';

/** The devices of a team, and this one among them. */
export interface TeamDevices {
  all(): Promise<readonly TeamKey[]>;
  pair(input: { readonly person: string; readonly role: TeamRole }): Promise<Pairing>;
  /** Registers this installation by a code. Throws PAIRING_INVALID, DEVICE_REVOKED. */
  join(code: string): Promise<TeamKey>;
  /** Registers this installation without a code, as the database's owner may. */
  found(): Promise<TeamKey>;
  /** Throws DEVICE_UNKNOWN. */
  revoke(id: string): Promise<TeamKey>;
  /** Decisions of a device that were carried out. */
  decided(id: string): Promise<readonly Decided[]>;
  /** The id of this installation's key. */
  own(): Promise<string>;
  close(): Promise<void>;
}

/** Throws TEAM_TABLES where there are none yet. */
export async function openTeamDevices({
  url,
  env,
}: {
  readonly url: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}): Promise<TeamDevices> {
  await checkTeam(url);
  const keys = new TeamKeys(url);
  const key = new InstallationKey(configRoot(env));
  const here = () => deviceOf(key);
  return {
    all: () => keys.all(),
    pair: (input) => keys.pair(input),
    join: async (code) => keys.redeem({ ...(await here()), code }),
    found: async () => keys.register({ ...(await here()), person: userInfo().username, role: 'admin' }),
    revoke: (id) => keys.revoke(id),
    decided: (id) => keys.decided(id),
    own: async () => (await here()).id,
    close: () => keys.close(),
  };
}

/** The public key, as a device named for this machine and its user. */
export async function deviceOf(key: Pick<InstallationKey, 'spki'>): Promise<ReturnType<typeof newDevice>> {
  return newDevice(await key.spki(), `${userInfo().username}@${hostname()}`.slice(0, 100));
}

/** Milliseconds that an opening waits for the server. */
const patienceMs = 10_000;

/** Makes the tables where they are missing and this login may. */
export function prepareTeam(url: string): Promise<void> {
  return onDatabase(url, prepareShared);
}

/** Throws TEAM_TABLES where there are none yet or older ones, DATABASE_NEWER and DATABASE_IO. */
export function checkTeam(url: string): Promise<void> {
  return onDatabase(url, checkShared);
}

export async function onDatabase<T>(url: string, work: (database: PostgresDatabase) => T): Promise<T> {
  const database = new PostgresDatabase({ url, worker: locations.teamWorker });
  try {
    return await whenFree(() => work(database), { patienceMs: () => patienceMs });
  } finally {
    database.close();
  }
}

/** A public key with its id, as the team keeps it. Throws INVALID_INPUT. */
export function newDevice(
  publicKey: string,
  device: string,
): { readonly id: string; readonly publicKey: string; readonly device: string } {
  const id = keyIdOfSpki(publicKey);
  if (id === undefined)
    throw invalidInput('The key', 'it is neither an Ed25519 nor a P-256 key in its usual form');
  return { id, publicKey, device };
}
