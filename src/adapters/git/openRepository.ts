import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { sha256 } from '../../base/sha256.ts';
import { cacheRoot } from '../system/cacheRoot.ts';
import { FileLock } from '../system/lock.ts';
import { BaseUpdate } from './merge/baseUpdate.ts';
import type { GitCli } from './cli/gitCli.ts';
import { MergeBranch } from './merge/mergeBranch.ts';
import { type GitParts, listWorktrees, type RepositoryParts } from './commits/ownBranch.ts';
import { LeftFiles } from './checkouts/resetWorktree.ts';
import { ScratchWorktrees } from './checkouts/scratchWorktrees.ts';
import { TeamCheckouts } from './checkouts/teamCheckouts.ts';
import { TicketWorktrees } from './checkouts/ticketWorktrees.ts';
import { type WorktreeChoice, WorktreePlaces } from './worktrees/worktreePlaces.ts';
import type { Environment } from '../system/commandEnvironment.ts';
import { realAt } from '../system/files.ts';

export interface OpenedRepository {
  readonly root: string;
  readonly main: string;
  readonly commonDir: string;
  readonly places: WorktreePlaces;
  readonly worktrees: TicketWorktrees;
  readonly scratch: ScratchWorktrees;
  readonly ofTeam: TeamCheckouts;
  readonly merges: MergeBranch;
  readonly updates: BaseUpdate;
  readonly locked: <T>(task: () => Promise<T>) => Promise<T>;
}

interface OpenOptions {
  readonly folder: string;
  readonly worktrees?: WorktreeChoice;
  readonly lockPatienceMs?: number;
  readonly environment?: Environment;
}

export function scratchFolder(environment: Environment, commonDir: string): string {
  return join(cacheRoot(environment), 'scratch', sha256(commonDir).slice(0, 16));
}

/** Throws NOT_A_REPOSITORY, BARE_REPOSITORY, PATH_UNUSABLE, GIT_FAILED. */
export async function openRepository(parts: GitParts, options: OpenOptions): Promise<OpenedRepository> {
  const { cli } = parts;
  const notOne = new BeadsmithError('NOT_A_REPOSITORY', { path: options.folder });
  const cwd = await realAt(options.folder);
  if (cwd === undefined) throw notOne;
  if (/[\r\n]/.test(cwd)) throw new BeadsmithError('PATH_UNUSABLE', { path: JSON.stringify(cwd) });
  const asked = ['rev-parse', '--path-format=absolute', '--git-common-dir', '--git-dir', '--show-toplevel'];
  const found = await cli.run({ cwd }, { args: asked, allow: [0, 128] });
  if (found.code !== 0 && (await isBare(cli, cwd)))
    throw new BeadsmithError('BARE_REPOSITORY', { path: options.folder });
  // Nothing, or the inside of `.git`.
  if (found.code !== 0 && /not a git repository|must be run in a work tree/.test(found.stderr)) throw notOne;
  if (found.code !== 0)
    throw new BeadsmithError('GIT_FAILED', { command: 'rev-parse', reason: found.stderr.trim() });
  const [common = '', gitDir = '', top = ''] = found.stdout.split('\n');
  const root = await realpath(top);
  const commonDir = await realpath(common);
  const main = (await realpath(gitDir)) === commonDir ? root : await mainCheckout(cli, root, commonDir);
  // Files beside a submodule would be untracked in the outer repository.
  const around = await cli.run(
    { cwd: main },
    { args: ['rev-parse', '--show-superproject-working-tree'], allow: [0, 128] },
  );
  const choice = around.stdout.trim() === '' ? (options.worktrees ?? 'beside') : 'inside';
  const places = new WorktreePlaces(main, commonDir, {
    choice,
    scratchFolder: scratchFolder(options.environment ?? process.env, commonDir),
  });
  const path = join(commonDir, 'beadsmith', 'worktrees.lock');
  const lock = new FileLock(path, { abandonable: true });
  const limits = {
    patienceMs: options.lockPatienceMs ?? 60_000,
    busy: () => new BeadsmithError('GIT_LOCKED', { path }),
  };
  const locked = <T>(task: () => Promise<T>): Promise<T> => lock.run(task, limits);
  const shared: RepositoryParts = { ...parts, main: { cwd: main }, places, locked };
  const scratch = new ScratchWorktrees(shared);
  return {
    root,
    main,
    commonDir,
    places,
    worktrees: new TicketWorktrees(shared, new LeftFiles(cli, parts.index)),
    scratch,
    ofTeam: new TeamCheckouts(shared),
    merges: new MergeBranch({ ...shared, commonDir, patienceMs: options.lockPatienceMs ?? 15_000 }),
    updates: new BaseUpdate(shared, scratch),
    locked,
  };
}

async function isBare(cli: GitCli, cwd: string): Promise<boolean> {
  const { stdout } = await cli.run({ cwd }, { args: ['rev-parse', '--is-bare-repository'], allow: [0, 128] });
  return stdout.trim() === 'true';
}

/** The main checkout; of a submodule git lists its git dir instead. */
async function mainCheckout(cli: GitCli, root: string, commonDir: string): Promise<string> {
  const [listed] = await listWorktrees({ cli, main: { cwd: root } });
  const main = await realpath(listed?.path ?? dirname(commonDir));
  if (main !== commonDir) return main;
  const call = { args: ['rev-parse', '--show-toplevel'], env: { GIT_DIR: commonDir }, allow: [0, 128] };
  const { code, stdout } = await cli.run({ cwd: commonDir }, call);
  return code === 0 ? realpath(stdout.trim()) : main;
}
