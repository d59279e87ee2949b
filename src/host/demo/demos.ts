import { randomUUID } from 'node:crypto';
import { access, mkdir, readdir, realpath, rm, unlink, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import * as z from 'zod';
import { codeOf, readJson } from '../../adapters/system/files.ts';
import type { DemoPlace } from '../../views/demo/demo.ts';
import { commonDirOf } from '../repositories/findRepository.ts';

const Path = z.string().refine((path) => isAbsolute(path));
const Entry = z.object({ schema: z.literal(1), id: z.uuid(), folder: Path, repository: Path });
export type DemoEntry = z.infer<typeof Entry>;
const Mark = z.object({ id: z.uuid() });

/**
 * The demos of this installation, as files in the extension's storage. The mark in a git folder means nothing
 * alone, so that no repository can make itself a demo.
 */
export class Demos {
  readonly #storage: string;

  constructor(storage: string) {
    this.#storage = storage;
  }

  /** Without those that were moved or removed. */
  async all(): Promise<readonly DemoEntry[]> {
    const names = await readdir(this.#storage).catch(() => []);
    const entries = await Promise.all(
      names
        .filter((name) => name.endsWith('.json'))
        .map((name) => readJson(join(this.#storage, name), Entry)),
    );
    const known = await Promise.all(
      entries.map(async (entry) =>
        entry && (await readJson(markOf(entry), Mark))?.id === entry.id ? [entry] : [],
      ),
    );
    return known.flat();
  }

  /** A worktree of its ticket counts too. */
  async of(root: string): Promise<DemoEntry | undefined> {
    const entries = await this.all();
    const commonDir = entries.length === 0 ? undefined : await commonDirOf(root);
    return entries.find(({ repository }) => commonDir === gitFolder(repository));
  }

  /** `write` fills the repository. A failure leaves nothing. */
  async make(parent: string, write: (repository: string) => Promise<unknown>): Promise<DemoEntry> {
    const folder = await newFolder(parent);
    const entry: DemoEntry = { schema: 1, id: randomUUID(), folder, repository: join(folder, 'stockroom') };
    try {
      await mkdir(stateFolderOf(entry), { recursive: true, mode: 0o700 });
      await writeFile(markOf(entry), JSON.stringify({ id: entry.id } satisfies z.infer<typeof Mark>));
      await mkdir(this.#storage, { recursive: true });
      await writeFile(this.#entryFile(entry), JSON.stringify(entry));
      await write(entry.repository);
      return entry;
    } catch (error) {
      await this.remove(entry);
      throw error;
    }
  }

  async remove(entry: DemoEntry): Promise<void> {
    await rm(entry.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    for (const file of [this.#entryFile(entry), this.#expectedFile(entry)]) await rm(file, { force: true });
  }

  /** The next window that opens it continues its ticket. */
  async expect(entry: DemoEntry): Promise<void> {
    await writeFile(this.#expectedFile(entry), '');
  }

  async isExpected(entry: DemoEntry): Promise<boolean> {
    return access(this.#expectedFile(entry)).then(
      () => true,
      () => false,
    );
  }

  /** True for the first caller only. */
  async takeExpected(entry: DemoEntry): Promise<boolean> {
    return unlink(this.#expectedFile(entry)).then(
      () => true,
      () => false,
    );
  }

  #entryFile({ id }: DemoEntry): string {
    return join(this.#storage, `${id}.json`);
  }

  #expectedFile({ id }: DemoEntry): string {
    return join(this.#storage, `${id}.expected`);
  }
}

export function stateFolderOf({ repository }: DemoPlace): string {
  return join(gitFolder(repository), 'beadsmith');
}

function markOf(place: DemoPlace): string {
  return join(stateFolderOf(place), 'demo.json');
}

function gitFolder(repository: string): string {
  return join(repository, '.git');
}

/** A new folder can't hold a person's files. */
async function newFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  const place = await realpath(parent);
  for (let number = 1; ; number++) {
    const folder = join(place, number === 1 ? 'beadsmith-demo' : `beadsmith-demo-${String(number)}`);
    try {
      await mkdir(folder);
      return folder;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}
