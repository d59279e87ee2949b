import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { readJson, writeAtomically } from '../../system/files.ts';
import { FileLock } from '../../system/lock.ts';
import { ProcessIdentity, livenessOf, ownIdentity } from '../../system/processes.ts';

/**
 * The record of a running server for the next process: `<state folder>/servers/<domain>.json`, readable by
 * the user alone.
 */
export const ServerRecord = z.object({
  schema: z.literal(2),
  url: z.url(),
  password: z.string().min(32),
  version: z.string(),
  /** Of everything the server was started with: another hash means another configuration. */
  configHash: z.string(),
  nonce: z.string(),
  guard: ProcessIdentity,
  server: ProcessIdentity,
  startedAt: z.number(),
  /**
   * The guard asks for a new server, because this one uses too much memory or is too old; its user replaces
   * it when nothing runs.
   */
  recycle: z.boolean(),
});
export type ServerRecord = z.infer<typeof ServerRecord>;

/**
 * The folder in which a domain's server keeps its sessions. Stable, because sessions survive the server only
 * with their folder.
 */
export function serverFolder({
  stateDir,
  domain,
}: {
  readonly stateDir: string;
  readonly domain: string;
}): string {
  return join(stateDir, 'opencode', domain);
}

/**
 * The folder in which all servers of a domain unpack their libraries, each into a folder of its own, named by
 * its nonce.
 */
export function unpackFolder(setup: Parameters<typeof serverFolder>[0]): string {
  return join(serverFolder(setup), 'cache', 'unpacked');
}

/** The folder in which the shells of a server note their marks, and where they were started. */
export function toolNotes(folder: string): string {
  return join(folder, 'tools');
}

/** The folders in which the shells of all servers note their marks. */
export async function allToolNotes(stateDir: string): Promise<readonly string[]> {
  const domains = await readdir(join(stateDir, 'opencode')).catch(() => []);
  return domains.map((domain) => toolNotes(serverFolder({ stateDir, domain })));
}

/** The domains that have, or had, a server: those with a record. */
export async function serverDomains(stateDir: string): Promise<readonly string[]> {
  const names = await readdir(join(stateDir, 'servers')).catch(() => []);
  return names.flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []));
}

/** The files by which processes agree on the server of a domain. */
export class ServerFiles {
  readonly folder: string;
  /** The folder in which the shells of the server note their marks. */
  readonly toolNotes: string;
  readonly #unpacked: string;
  readonly #record: string;
  readonly #owners: string;
  readonly #lock: FileLock;
  /** The user's file name says its pid; each user of a process has its own. */
  readonly #self = `${process.pid}-${randomUUID()}`;

  constructor(stateDir: string, domain: string) {
    this.folder = join(stateDir, 'servers');
    this.toolNotes = toolNotes(serverFolder({ stateDir, domain }));
    this.#unpacked = unpackFolder({ stateDir, domain });
    this.#record = join(this.folder, `${domain}.json`);
    this.#owners = join(this.folder, `${domain}.owners`);
    this.#lock = new FileLock(join(this.folder, `${domain}.lock`), { abandonable: true });
  }

  /** Undefined when there is none, or none that can be understood. */
  async read(): Promise<ServerRecord | undefined> {
    return readJson(this.#record, ServerRecord);
  }

  async write(record: ServerRecord): Promise<void> {
    await write(this.folder, this.#record, record);
  }

  /** Removes the record if it still is the one with this nonce. */
  async remove(nonce: string): Promise<void> {
    if ((await this.read())?.nonce === nonce) await rm(this.#record, { force: true });
  }

  /** Removes what a server that has ended unpacked. */
  async tidy(nonce: string): Promise<void> {
    await rm(join(this.#unpacked, nonce), { recursive: true, force: true });
  }

  /**
   * Says that this process uses the server. Everyone has a file of their own, so that nobody writes over
   * another.
   */
  async own(): Promise<void> {
    await write(this.#owners, join(this.#owners, this.#self), await ownIdentity());
  }

  async disown(): Promise<void> {
    await rm(join(this.#owners, this.#self), { force: true });
  }

  /**
   * Checks whether a running process uses the server; with `others`, one other than this. Removes what ended
   * processes left.
   */
  async inUse(who: 'all' | 'others'): Promise<boolean> {
    let used = false;
    for (const name of await readdir(this.#owners).catch(() => [])) {
      if (name.endsWith('.part') || (who === 'others' && name === this.#self)) continue;
      const file = join(this.#owners, name);
      const owner = await readJson(file, ProcessIdentity);
      // One of another machine or container can't use a server of this one.
      if (owner && (await livenessOf(owner)) === 'alive') used = true;
      else await rm(file, { force: true });
    }
    return used;
  }

  /**
   * Lets one process at a time adopt or start a server. Throws `busy()` if a living one does for longer than
   * `patienceMs`.
   */
  locked<T>(
    work: () => Promise<T>,
    limits: { readonly patienceMs: number; readonly busy: () => Error },
  ): Promise<T> {
    return this.#lock.run(work, limits);
  }
}

async function write(folder: string, file: string, content: unknown): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeAtomically(file, JSON.stringify(content), { mode: 0o600, durable: false });
}
