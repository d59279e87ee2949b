import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { cp, mkdir, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../../.build/paths.mjs';
import { removeFolder } from '../../../src/adapters/system/files.ts';
import { places } from './places.ts';

/** Everything that drives a ticket. */
const sources = [
  'dist/*.{js,cjs}',
  'prompts/**/*.md',
  'test/support/**/*.ts',
  '.build/pins.json',
  'package-lock.json',
];
const scenes = join(root, '.cache', 'scenes');
const hourMs = 3_600_000;

/**
 * In `.cache/scenes/<hash>/`, by place and name. A scene is written beside and then renamed, so that it is
 * whole. Only who holds the place writes.
 */
export class SceneStore {
  readonly #base: string;
  readonly #folder: string;

  /** `place`: the folder in which the tickets were driven. */
  constructor(place: string, base = scenes) {
    this.#base = base;
    this.#folder = join(base, buildHash(), place);
  }

  /** And not so old that its age could make a difference. */
  has(scene: string, now = Date.now()): boolean {
    const made = statSync(join(this.#folder, scene), { throwIfNoEntry: false })?.mtimeMs;
    return made !== undefined && now - made < 24 * hourMs;
  }

  /** By the names under which `restore` finds them. */
  async keep(scene: string, folders: Readonly<Record<string, string>>): Promise<void> {
    const part = join(this.#folder, `${scene}.${randomUUID()}.part`);
    if (!existsSync(this.#folder)) await removeOthers(this.#base);
    for (const [name, folder] of Object.entries(folders)) await copy(folder, join(part, name));
    await removeFolder(join(this.#folder, scene));
    await rename(part, join(this.#folder, scene));
    for (const name of await readdir(this.#folder))
      if (name.endsWith('.part')) await removeFolder(join(this.#folder, name));
  }

  async restore(scene: string, folders: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, folder] of Object.entries(folders)) await copy(join(this.#folder, scene, name), folder);
  }
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
}

/** What was prepared by other builds, unless it may be in use. */
async function removeOthers(base: string): Promise<void> {
  const names = await readdir(base).catch(() => []);
  for (const name of names) {
    const folder = join(base, name);
    if (name !== buildHash() && Date.now() - (await stat(folder)).mtimeMs > hourMs)
      await removeFolder(folder);
  }
}

let known: string | undefined;

function buildHash(): string {
  known ??= hashOf();
  return known;
}

function hashOf(): string {
  const { BEADSMITH_OPENCODE: opencode, BEADSMITH_SANDBOX: sandbox } = process.env;
  const about = createHash('sha256').update(
    JSON.stringify([places, process.version, opencode ?? '', sandbox ?? 'off']),
  );
  const files = globSync(sources, { cwd: root }).toSorted();
  for (const file of files) about.update(`${file}\0`).update(readFileSync(join(root, file)));
  return about.digest('hex').slice(0, 16);
}
