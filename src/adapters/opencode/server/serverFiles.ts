import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { readJson, writeAtomically, namesAt, makePrivateFolder } from '../../system/files.ts';
import { FileLock } from '../../system/lock.ts';
import { ProcessIdentity, livenessOf, ownIdentity } from '../../system/processes.ts';

/** `<state folder>/servers/<domain>.json`, readable by the user alone. */
export const ServerRecord = z.object({
  schema: z.literal(2),
  url: z.url(),
  password: z.string().min(32),
  version: z.string(),
  configHash: z.string(),
  nonce: z.string(),
  guard: ProcessIdentity,
  server: ProcessIdentity,
  startedAt: z.number(),
  /** Too much memory or age: its user replaces it when idle. */
  recycle: z.boolean(),
});
export type ServerRecord = z.infer<typeof ServerRecord>;

export function serverFolder({
  stateDir,
  domain,
}: {
  readonly stateDir: string;
  readonly domain: string;
}): string {
  return join(stateDir, 'opencode', domain);
}

export function unpackFolder(setup: Parameters<typeof serverFolder>[0]): string {
  return join(serverFolder(setup), 'cache', 'unpacked');
}

export function toolNotes(folder: string): string {
  return join(folder, 'tools');
}

export async function allToolNotes(stateDir: string): Promise<readonly string[]> {
  const domains = await namesAt(join(stateDir, 'opencode'));
  return domains.map((domain) => toolNotes(serverFolder({ stateDir, domain })));
}

export async function serverDomains(stateDir: string): Promise<readonly string[]> {
  const names = await namesAt(join(stateDir, 'servers'));
  return names.flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []));
}

export class ServerFiles {
  readonly folder: string;
  readonly toolNotes: string;
  readonly #unpacked: string;
  readonly #record: string;
  readonly #owners: string;
  readonly #lock: FileLock;
  /** The file name of a user begins with its pid; each user of a process has its own. */
  readonly #self = `${process.pid}-${randomUUID()}`;

  constructor(stateDir: string, domain: string) {
    this.folder = join(stateDir, 'servers');
    this.toolNotes = toolNotes(serverFolder({ stateDir, domain }));
    this.#unpacked = unpackFolder({ stateDir, domain });
    this.#record = join(this.folder, `${domain}.json`);
    this.#owners = join(this.folder, `${domain}.owners`);
    this.#lock = new FileLock(join(this.folder, `${domain}.lock`), { abandonable: true });
  }

  async read(): Promise<ServerRecord | undefined> {
    return readJson(this.#record, ServerRecord);
  }

  async write(record: ServerRecord): Promise<void> {
    await write(this.folder, this.#record, record);
  }

  async remove(nonce: string): Promise<void> {
    if ((await this.read())?.nonce === nonce) await rm(this.#record, { force: true });
  }

  async tidy(nonce: string): Promise<void> {
    await rm(join(this.#unpacked, nonce), { recursive: true, force: true });
  }

  async own(): Promise<void> {
    await write(this.#owners, join(this.#owners, this.#self), await ownIdentity());
  }

  async disown(): Promise<void> {
    await rm(join(this.#owners, this.#self), { force: true });
  }

  /** Checks for users, or `others`. Removes files of ended processes. */
  async inUse(who: 'all' | 'others'): Promise<boolean> {
    let used = false;
    for (const name of await namesAt(this.#owners)) {
      if (name.endsWith('.part') || (who === 'others' && name === this.#self)) continue;
      const file = join(this.#owners, name);
      const owner = await readJson(file, ProcessIdentity);
      // Another machine's or container's can't use this server.
      if (owner && (await livenessOf(owner)) === 'alive') used = true;
      else await rm(file, { force: true });
    }
    return used;
  }

  /** Lets one process adopt or start a server. Throws `busy()` after `patienceMs`. */
  locked<T>(
    work: () => Promise<T>,
    limits: { readonly patienceMs: number; readonly busy: () => Error },
  ): Promise<T> {
    return this.#lock.run(work, limits);
  }
}

async function write(folder: string, file: string, content: unknown): Promise<void> {
  await makePrivateFolder(folder);
  await writeAtomically(file, JSON.stringify(content), { mode: 0o600, durable: false });
}

export class ServerUse {
  readonly #restMs: number;
  readonly #onRest: () => void;
  #running = 0;
  #rest: NodeJS.Timeout | undefined;

  constructor(restMs: number, onRest: () => void) {
    this.#restMs = restMs;
    this.#onRest = onRest;
  }

  get idle(): boolean {
    return this.#running === 0;
  }

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

  end(): void {
    clearTimeout(this.#rest);
  }

  /** An idle server must not keep the process alive. */
  #wait(): void {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(this.#onRest, this.#restMs).unref();
  }
}

/** The time that an unused server is kept. `now` never goes back. */
export class Grace {
  readonly #ms: number;
  #since: number | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  isOver(isUsed: boolean, now: number): boolean {
    if (isUsed) this.#since = undefined;
    else this.#since ??= now;
    return this.#since !== undefined && now - this.#since >= this.#ms;
  }
}
