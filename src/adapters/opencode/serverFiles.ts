import { randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { createExclusively } from '../system/files.ts';
import { ProcessId, isAlive, processWith } from '../system/processTable.ts';

/** The record of a running server for the next process: `<state folder>/servers/<domain>.json`, readable by the user alone. */
export const ServerRecord = z.object({
  schema: z.literal(1),
  url: z.url(),
  password: z.string().min(32),
  version: z.string(),
  /** Of everything the server was started with: another hash means another configuration. */
  configHash: z.string(),
  nonce: z.string(),
  guard: ProcessId,
  server: ProcessId,
  startedAt: z.number(),
  /** The guard asks for a new server, because this one has grown or aged; whoever uses it does that when nothing runs. */
  recycle: z.boolean(),
});
export type ServerRecord = z.infer<typeof ServerRecord>;

/** The files by which processes agree on the server of a domain. */
export class ServerFiles {
  readonly folder: string;
  readonly #record: string;
  readonly #owners: string;
  readonly #lock: string;
  /** The user's file name says its pid; each user of a process has its own. */
  readonly #self = `${process.pid}-${randomUUID()}`;

  constructor(stateDir: string, domain: string) {
    this.folder = join(stateDir, 'servers');
    this.#record = join(this.folder, `${domain}.json`);
    this.#owners = join(this.folder, `${domain}.owners`);
    this.#lock = join(this.folder, `${domain}.lock`);
  }

  /** Undefined when there is none, or none that can be understood. */
  async read(): Promise<ServerRecord | undefined> {
    return parse(ServerRecord, await readFile(this.#record, 'utf8').catch(() => ''));
  }

  async write(record: ServerRecord): Promise<void> {
    await writeAtomically(this.folder, this.#record, record);
  }

  /** Removes the record if it still is the one with this nonce. */
  async remove(nonce: string): Promise<void> {
    if ((await this.read())?.nonce === nonce) await rm(this.#record, { force: true });
  }

  /** Says that this process uses the server. Everyone has a file of their own, so that nobody writes over another. */
  async own(): Promise<void> {
    const self = await processWith(process.pid);
    if (self) await writeAtomically(this.#owners, join(this.#owners, this.#self), self);
  }

  async disown(): Promise<void> {
    await rm(join(this.#owners, this.#self), { force: true });
  }

  /** Whether anybody alive uses the server; with `others`, anybody but this one. What dead ones left is removed. */
  async inUse(who: 'all' | 'others'): Promise<boolean> {
    let used = false;
    for (const name of await readdir(this.#owners).catch(() => [])) {
      if (name.endsWith('.tmp') || (who === 'others' && name === this.#self)) continue;
      const file = join(this.#owners, name);
      const owner = parse(ProcessId, await readFile(file, 'utf8').catch(() => ''));
      if (owner && (await isAlive(owner))) used = true;
      else await rm(file, { force: true });
    }
    return used;
  }

  /** Lets one process at a time adopt or start a server. Waits for a living holder, at most `patienceMs`; false if that wasn't enough. */
  async locked<T>(patienceMs: number, work: () => Promise<T>): Promise<T | undefined> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const self = await processWith(process.pid);
    const deadline = performance.now() + patienceMs;
    while (!(await this.#takeLock(self))) {
      if (performance.now() > deadline) return undefined;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    try {
      return await work();
    } finally {
      await rm(this.#lock, { force: true });
    }
  }

  async #takeLock(self: ProcessId | undefined): Promise<boolean> {
    if (await createExclusively(this.#lock, JSON.stringify(self))) return true;
    const holder = parse(ProcessId, await readFile(this.#lock, 'utf8').catch(() => ''));
    if (holder && !(await isAlive(holder))) await rm(this.#lock, { force: true });
    return false;
  }
}

async function writeAtomically(folder: string, file: string, content: unknown): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomUUID()}.tmp`;
  await writeFile(temporary, JSON.stringify(content), { mode: 0o600 });
  await rename(temporary, file);
}

function parse<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
