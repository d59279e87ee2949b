import { constants } from 'node:fs';
import { access, lstat, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { ScratchName, TicketId } from '../../../domain/core/ids.ts';
import { inHeldFolder, removeHeld } from '../../system/heldFolder.ts';
import { lstatAt, realAt, makePrivateFolder } from '../../system/files.ts';

export type WorktreeChoice = 'beside' | 'inside';

/** In the folder of worktrees, so that a ticket of this clone may have the same id. */
export const teamFolder = 'team';

export interface OwnWorktree {
  readonly path: string;
  readonly gitDir: string;
  readonly ticket: TicketId;
}

export class WorktreePlaces {
  readonly #main: string;
  readonly #commonDir: string;
  readonly #choice: WorktreeChoice;
  readonly #scratchFolder: string;

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

  get beside(): string {
    return `${this.#main}.worktrees`;
  }

  get inside(): string {
    return join(this.#main, '.beadsmith', 'worktrees');
  }

  /**
   * The folder for new worktrees: beside, if chosen, writable and on the same mount; else inside
   * (docs/decisions/009-worktree-isolation.md).
   */
  async folder(): Promise<string> {
    return this.#choice === 'beside' && (await this.#canBeBeside()) ? this.beside : this.inside;
  }

  isOurs(path: string): boolean {
    return [this.beside, this.inside].includes(dirname(path)) && TicketId.safeParse(basename(path)).success;
  }

  /** The place of a person's checkout of a team's ticket. */
  async teamPath(ticket: TicketId): Promise<string> {
    return join(await this.folder(), teamFolder, ticket);
  }

  /** A checkout of a team's ticket, proved as `own` does. */
  async ofTeam(worktree: string): Promise<OwnWorktree> {
    const folders = [this.beside, this.inside].map((folder) => join(folder, teamFolder));
    return this.#proved(worktree, (path) => folders.includes(dirname(path)));
  }

  isScratch(path: string): boolean {
    return (
      basename(dirname(path)) === basename(this.#scratchFolder) &&
      ScratchName.safeParse(basename(path)).success
    );
  }

  /** Far from worktrees of tickets, so that it finds none. */
  async scratchPath(name: ScratchName): Promise<string> {
    await makePrivateFolder(this.#scratchFolder);
    return join(await realpath(this.#scratchFolder), name);
  }

  scratchIndex(name: ScratchName): string {
    return join(this.#commonDir, 'beadsmith', 'scratch', `${name}.index`);
  }

  scratchTools(name: ScratchName): string {
    return join(this.#commonDir, 'beadsmith', 'scratch', `${name}.tools`);
  }

  /** Throws OUTSIDE_WORKTREE, WORKTREE_LOST, as `own`. */
  async scratch(worktree: string): Promise<OwnWorktree> {
    const folder = await realAt(this.#scratchFolder);
    return this.#proved(
      worktree,
      (path) => dirname(path) === folder && ScratchName.safeParse(basename(path)).success,
    );
  }

  /**
   * Proves a folder to be a worktree of ours: real, below the worktrees folder, registered, with git's links
   * agreeing both ways. Throws OUTSIDE_WORKTREE, WORKTREE_LOST.
   */
  async own(worktree: string): Promise<OwnWorktree> {
    return this.#proved(worktree, (path) => this.isOurs(path));
  }

  async #proved(worktree: string, isExpected: (path: string) => boolean): Promise<OwnWorktree> {
    const lexical = resolve(worktree);
    const path = await realAt(lexical);
    if (path === undefined)
      throw new BeadsmithError(isExpected(lexical) ? 'WORKTREE_LOST' : 'OUTSIDE_WORKTREE', { path: lexical });
    const ticket = TicketId.safeParse(basename(path).replace(/\.verify$/, ''));
    if (!ticket.success || !isExpected(path)) throw new BeadsmithError('OUTSIDE_WORKTREE', { path: lexical });
    const link = join(path, '.git');
    const text = await readLink(link);
    const target = /^gitdir: (.+)$/.exec(text?.trim() ?? '')?.[1];
    if (target === undefined) throw new BeadsmithError('WORKTREE_LOST', { path });
    const gitDir = await realAt(resolve(path, target));
    if (gitDir === undefined) throw new BeadsmithError('WORKTREE_LOST', { path });
    // An agent could point the link at another checkout.
    if (dirname(gitDir) !== join(this.#commonDir, 'worktrees'))
      throw new BeadsmithError('OUTSIDE_WORKTREE', { path });
    const back = await readLink(join(gitDir, 'gitdir'));
    const backTarget = back === undefined ? undefined : await realAt(resolve(gitDir, back.trim()));
    if (backTarget !== link) throw new BeadsmithError('OUTSIDE_WORKTREE', { path });
    return { path, gitDir, ticket: ticket.data };
  }

  /** Makes a folder that, inside the repository, ignores itself: no ignore rules change. */
  async prepareFolder(folder: string): Promise<void> {
    if (folder.startsWith(this.inside)) await ensureIgnored(dirname(this.inside));
    await mkdir(folder, { recursive: true });
  }

  async #canBeBeside(): Promise<boolean> {
    try {
      const present = await lstatAt(this.beside);
      if (present && !present.isDirectory()) return false;
      const place = present ? this.beside : dirname(this.#main);
      await access(place, constants.W_OK | constants.X_OK);
      return (await stat(place)).dev === (await stat(this.#main)).dev;
    } catch {
      return false;
    }
  }
}

/** Makes a folder that ignores all in it. Throws OUTSIDE_WORKTREE if it is a link or a file. */
export async function ensureIgnored(folder: string): Promise<void> {
  const done = await inHeldFolder(dirname(folder), [basename(folder)], { make: true }, async (held) => {
    const file = join(held, '.gitignore');
    const present = await lstatAt(file);
    if (present?.isFile() && (await readFile(file, 'utf8')) === '*\n') return;
    await removeHeld(held, '.gitignore');
    await writeFile(file, '*\n', { flag: 'wx' });
  });
  if (!done.ok) throw new BeadsmithError('OUTSIDE_WORKTREE', { path: folder });
}

/** Makes an ignored `.ticket/`. Throws OUTSIDE_WORKTREE if it is a link or a file. */
export async function ensureTicketFolder(worktree: string): Promise<void> {
  await ensureIgnored(join(worktree, '.ticket'));
}

/** Undefined for anything but a small regular file. */
async function readLink(path: string): Promise<string | undefined> {
  try {
    const { size } = await lstat(path).then((found) => (found.isFile() ? found : { size: Infinity }));
    return size > 10_000 ? undefined : await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
