import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { readJson, writeAtomically } from '../../system/files.ts';
import { FileLock } from '../../system/lock.ts';
import { ProcessIdentity, livenessOf, ownIdentity } from '../../system/processes.ts';

/** The record of a running server: `<state folder>/servers/<domain>.json`, readable by the user alone. */
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
  /** The guard asks for a new server: too much memory or age. Its user replaces it when nothing runs. */
  recycle: z.boolean(),
});
export type ServerRecord = z.infer<typeof ServerRecord>;

/** The folder of a domain's sessions. Stable: they survive the server only with their folder. */
export function serverFolder({
  stateDir,
  domain,
}: {
  readonly stateDir: string;
  readonly domain: string;
}): string {
  return join(stateDir, 'opencode', domain);
}

/** The folder where a domain's servers unpack libraries, each in a folder named by its nonce. */
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

  /** Says that this process uses the server, in a file of its own: nobody writes over another. */
  async own(): Promise<void> {
    await write(this.#owners, join(this.#owners, this.#self), await ownIdentity());
  }

  async disown(): Promise<void> {
    await rm(join(this.#owners, this.#self), { force: true });
  }

  /** Checks whether a process uses the server, or `others`. Removes what ended processes left. */
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

  /** Lets one process at a time adopt or start a server. Throws `busy()` after `patienceMs`. */
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

/** Counts what this process runs on a server, and has the server released after a rest. */
export class ServerUse {
  readonly #restMs: number;
  readonly #onRest: () => void;
  #running = 0;
  #rest: NodeJS.Timeout | undefined;

  /** `onRest` is called once nothing has run for `restMs`. */
  constructor(restMs: number, onRest: () => void) {
    this.#restMs = restMs;
    this.#onRest = onRest;
  }

  /** True while nothing runs that this process waits for. */
  get idle(): boolean {
    return this.#running === 0;
  }

  /** Counts as use until `work` has settled. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    clearTimeout(this.#rest);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.idle) this.#wait();
    }
  }

  /** Nothing is released any more. */
  end(): void {
    clearTimeout(this.#rest);
  }

  /** An idle server must not keep the process alive. */
  #wait(): void {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(this.#onRest, this.#restMs).unref();
  }
}

/** The time for which a server that nobody uses is kept. `now` never goes back. */
export class Grace {
  readonly #ms: number;
  #since: number | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Notes whether the server is used now; answers whether it was unused for the whole grace. */
  isOver(isUsed: boolean, now: number): boolean {
    if (isUsed) this.#since = undefined;
    else this.#since ??= now;
    return this.#since !== undefined && now - this.#since >= this.#ms;
  }
}
