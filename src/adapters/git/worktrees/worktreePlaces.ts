import { constants } from 'node:fs';
import { access, lstat, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { ScratchName, TicketId } from '../../../domain/core/ids.ts';
import { inHeldFolder, removeHeld } from '../../system/heldFolder.ts';

/** The location of worktrees: beside the repository, or in a folder inside it. */
export type WorktreeChoice = 'beside' | 'inside';

/** One of our worktrees, proved to be that: `path` and `gitDir` are real paths. */
export interface OwnWorktree {
  readonly path: string;
  readonly gitDir: string;
  readonly ticket: TicketId;
}

/** Knows which folders are worktrees of ours. `main`: the main checkout or bare repository. Real paths. */
export class WorktreePlaces {
  readonly #main: string;
  readonly #commonDir: string;
  readonly #choice: WorktreeChoice;
  readonly #scratchFolder: string;

  /** `scratchFolder`: where scratch worktrees go. */
  constructor(
    main: string,
    commonDir: string,
    { choice, scratchFolder }: { readonly choice: WorktreeChoice; readonly scratchFolder: string },
  ) {
    this.#main = main;
    this.#commonDir = commonDir;
    this.#choice = choice;
    this.#scratchFolder = scratchFolder;
  }

  /** `<repository>.worktrees`. */
  get beside(): string {
    return `${this.#main}.worktrees`;
  }

  /** `<repository>/.beadsmith/worktrees`. */
  get inside(): string {
    return join(this.#main, '.beadsmith', 'worktrees');
  }

  /**
   * The folder new worktrees go to: beside, if that is chosen, writable and on the repository's own mount;
   * else inside (docs/decisions/009-worktree-isolation.md).
   */
  async folder(): Promise<string> {
    return this.#choice === 'beside' && (await this.#canBeBeside()) ? this.beside : this.inside;
  }

  isOurs(path: string): boolean {
    return [this.beside, this.inside].includes(dirname(path)) && TicketId.safeParse(basename(path)).success;
  }

  /** True if git's name of a worktree is that of one of our scratch worktrees. */
  isScratch(path: string): boolean {
    return (
      basename(dirname(path)) === basename(this.#scratchFolder) &&
      ScratchName.safeParse(basename(path)).success
    );
  }

  /** The path of a ticket's scratch worktree: far from worktrees of tickets, so that it finds none. */
  async scratchPath(name: ScratchName): Promise<string> {
    await mkdir(this.#scratchFolder, { recursive: true, mode: 0o700 });
    return join(await realpath(this.#scratchFolder), name);
  }

  /** The path of a scratch worktree's index as its checkout left it: beside the state, in no worktree. */
  scratchIndex(name: ScratchName): string {
    return join(this.#commonDir, 'beadsmith', 'scratch', `${name}.index`);
  }

  /** The path of what is known of the tools in a scratch worktree, beside its index. */
  scratchTools(name: ScratchName): string {
    return join(this.#commonDir, 'beadsmith', 'scratch', `${name}.tools`);
  }

  /** Proves a folder to be a scratch worktree, as `own` does. Throws OUTSIDE_WORKTREE and WORKTREE_LOST. */
  async scratch(worktree: string): Promise<OwnWorktree> {
    const folder = await realpath(this.#scratchFolder).catch(() => undefined);
    return this.#proved(
      worktree,
      (path) => dirname(path) === folder && ScratchName.safeParse(basename(path)).success,
    );
  }

  /**
   * Proves that a folder is a worktree of ours before anything in it is changed: a real folder below the
   * worktrees folder, registered in this repository, and git's links agree in both directions. Throws
   * OUTSIDE_WORKTREE and WORKTREE_LOST.
   */
  async own(worktree: string): Promise<OwnWorktree> {
    return this.#proved(worktree, (path) => this.isOurs(path));
  }

  async #proved(worktree: string, isExpected: (path: string) => boolean): Promise<OwnWorktree> {
    const lexical = resolve(worktree);
    const path = await realpath(lexical).catch(() => undefined);
    if (path === undefined)
      throw new BeadsmithError(isExpected(lexical) ? 'WORKTREE_LOST' : 'OUTSIDE_WORKTREE', { path: lexical });
    const ticket = TicketId.safeParse(basename(path).replace(/\.verify$/, ''));
    if (!ticket.success || !isExpected(path)) throw new BeadsmithError('OUTSIDE_WORKTREE', { path: lexical });
    const link = join(path, '.git');
    const text = await readLink(link);
    const target = /^gitdir: (.+)$/.exec(text?.trim() ?? '')?.[1];
    if (target === undefined) throw new BeadsmithError('WORKTREE_LOST', { path });
    const gitDir = await realpath(resolve(path, target)).catch(() => undefined);
    if (gitDir === undefined) throw new BeadsmithError('WORKTREE_LOST', { path });
    // An agent could point the link at the person's checkout, or at another worktree.
    if (dirname(gitDir) !== join(this.#commonDir, 'worktrees'))
      throw new BeadsmithError('OUTSIDE_WORKTREE', { path });
    const back = await readLink(join(gitDir, 'gitdir'));
    const backTarget =
      back === undefined ? undefined : await realpath(resolve(gitDir, back.trim())).catch(() => undefined);
    if (backTarget !== link) throw new BeadsmithError('OUTSIDE_WORKTREE', { path });
    return { path, gitDir, ticket: ticket.data };
  }

  /** Creates a folder for worktrees. Inside the repository it ignores itself: no ignore rules change. */
  async prepareFolder(folder: string): Promise<void> {
    if (folder.startsWith(this.inside)) await ensureIgnored(dirname(this.inside));
    await mkdir(folder, { recursive: true });
  }

  async #canBeBeside(): Promise<boolean> {
    try {
      const present = await lstat(this.beside).catch(() => undefined);
      if (present && !present.isDirectory()) return false;
      const place = present ? this.beside : dirname(this.#main);
      await access(place, constants.W_OK | constants.X_OK);
      return (await stat(place)).dev === (await stat(this.#main)).dev;
    } catch {
      return false;
    }
  }
}

/** A folder with a rule that ignores all of it. Throws OUTSIDE_WORKTREE if it is a link or a file. */
export async function ensureIgnored(folder: string): Promise<void> {
  const done = await inHeldFolder(dirname(folder), [basename(folder)], { make: true }, async (held) => {
    const file = join(held, '.gitignore');
    const present = await lstat(file).catch(() => undefined);
    if (present?.isFile() && (await readFile(file, 'utf8')) === '*\n') return;
    await removeHeld(held, '.gitignore');
    await writeFile(file, '*\n', { flag: 'wx' });
  });
  if (!done.ok) throw new BeadsmithError('OUTSIDE_WORKTREE', { path: folder });
}

/** `.ticket/` with a rule that ignores all of it. Throws OUTSIDE_WORKTREE if it is a link or a file. */
export async function ensureTicketFolder(worktree: string): Promise<void> {
  await ensureIgnored(join(worktree, '.ticket'));
}

/** The text of a small regular file; undefined for anything else, links included. */
async function readLink(path: string): Promise<string | undefined> {
  try {
    const { size } = await lstat(path).then((found) => (found.isFile() ? found : { size: Infinity }));
    return size > 10_000 ? undefined : await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
