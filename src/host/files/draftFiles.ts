import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { codeOf, writeAtomically } from '../../adapters/system/files.ts';
import { Mutex } from '../../base/mutex.ts';
import { sha256 } from '../../base/sha256.ts';
import { type DraftPlace, type Drafts, type DraftStore, withChanges } from '../../views/pages/pageDrafts.ts';
import { commonDirOf } from '../repositories/findRepository.ts';

const mostFiles = 200;

const Stored = z.object({ schema: z.literal(1), drafts: z.record(z.string(), z.unknown()) });

/**
 * Pages' drafts as files, one per page and ticket, shared by all checkouts. An unreadable file counts as
 * none.
 */
export class DraftFiles implements DraftStore {
  readonly #folder: string;
  readonly #writing = new Mutex();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(place: DraftPlace): Promise<Drafts> {
    return readDrafts(await this.#file(place));
  }

  /** Atomic in this window. */
  async change(place: DraftPlace, changes: Drafts): Promise<void> {
    const file = await this.#file(place);
    await this.#writing.run(file, async () => {
      const drafts = withChanges(await readDrafts(file), changes);
      if (Object.keys(drafts).length === 0) return rm(file, { force: true });
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeAtomically(file, JSON.stringify({ schema: 1, drafts } satisfies z.infer<typeof Stored>), {
        mode: 0o600,
      });
      await this.#removeOldest();
    });
  }

  async #file({ page, root, ticket }: DraftPlace): Promise<string> {
    const repository = (await commonDirOf(root)) ?? root;
    return join(this.#folder, `${sha256(JSON.stringify([page, repository, ticket])).slice(0, 32)}.json`);
  }

  async #removeOldest(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith('.json'));
    if (names.length <= mostFiles) return;
    // Another window may remove them first.
    const files = await Promise.all(
      names.map(async (name) => ({
        name,
        changed: (await stat(join(this.#folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
      })),
    );
    const oldest = files.toSorted((a, b) => a.changed - b.changed).slice(0, names.length - mostFiles);
    for (const { name } of oldest) await rm(join(this.#folder, name), { force: true });
  }
}

async function readDrafts(file: string): Promise<Drafts> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    throw error;
  }
  try {
    return Stored.parse(JSON.parse(text)).drafts;
  } catch {
    return {};
  }
}
