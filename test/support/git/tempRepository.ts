import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A real git repository in a temporary folder, with `user.name` "Ada Tester" and the branch `main`. */
export interface TempRepository {
  /**
   * The real path of the checkout. Its parent belongs to this repository too, so `<root>.worktrees` is
   * removed with it.
   */
  readonly root: string;
  /** Runs git in the checkout and answers its standard output without the last line break. */
  git(...args: readonly string[]): Promise<string>;
  /** Writes files of the checkout (paths relative to it); makes folders as needed. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** Writes files and commits everything that changed; answers the full hash. */
  commit(files: Readonly<Record<string, string>>, message?: string): Promise<string>;
  /**
   * Makes a bare `origin` beside the checkout, pushes all branches and sets `origin/HEAD`; answers the path
   * of the bare repository.
   */
  addOrigin(head?: string): Promise<string>;
  /**
   * HEAD, branch, index and status of the checkout as one text: what must not change behind the user's back.
   */
  fingerprint(): Promise<string>;
  remove(): Promise<void>;
}

interface TempRepositoryOptions {
  /** The files of the first commit; `null` for a repository without commits. */
  readonly files?: Readonly<Record<string, string>> | null;
  /** The name of the checkout's folder. */
  readonly name?: string;
  /** The real path of an empty folder in which the checkout is made. Default: a new one. */
  readonly parent?: string;
}

/**
 * Makes a repository. The caller removes it, in `after` or `afterEach`; see `tempRepositories` for one that
 * does it itself.
 */
export async function tempRepository(options: TempRepositoryOptions = {}): Promise<TempRepository> {
  const parent = options.parent ?? (await realpath(await mkdtemp(join(tmpdir(), 'beadsmith-git-'))));
  const root = join(parent, options.name ?? 'sample');
  const repository = new Repository(parent, root);
  const files = options.files === undefined ? { 'README.md': '# Sample\n' } : options.files;
  const kind = JSON.stringify(files);
  const model = models.get(kind);
  // A copy takes a fraction of the time that making one takes.
  if (model) copyTree(model, root);
  else models.set(kind, await makeModel(repository, files, await modelFolder()));
  return repository;
}

/** The repository whose checkout is at this real path. */
export function repositoryAt(root: string): TempRepository {
  return new Repository(dirname(root), root);
}

const models = new Map<string, string>();
let folder: Promise<string> | undefined;

async function modelFolder(): Promise<string> {
  folder ??= mkdtemp(join(tmpdir(), 'beadsmith-models-')).then((path) => {
    process.once('exit', () => rmSync(path, { recursive: true, force: true }));
    return path;
  });
  return join(await folder, randomUUID());
}

async function makeModel(
  repository: Repository,
  files: Readonly<Record<string, string>> | null,
  model: string,
): Promise<string> {
  await mkdir(repository.root);
  await repository.git('init', '--quiet', '--template=', '--initial-branch=main');
  await appendFile(
    join(repository.root, '.git', 'config'),
    '[user]\n\tname = Ada Tester\n\temail = ada@example.com\n',
  );
  for (const name of ['hooks', 'info']) await mkdir(join(repository.root, '.git', name), { recursive: true });
  await writeFile(join(repository.root, '.git', 'info', 'exclude'), '');
  if (files) await repository.commit(files, 'First commit');
  copyTree(repository.root, model);
  return model;
}

/** At once: file by file it takes ten times the processor time. */
function copyTree(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
}

/** Called inside `describe`: answers a maker of repositories that are removed after each test. */
export function tempRepositories(): (options?: TempRepositoryOptions) => Promise<TempRepository> {
  const made: TempRepository[] = [];
  afterEach(async () => {
    await Promise.all(made.splice(0).map((repository) => repository.remove()));
  });
  return async (options) => {
    const repository = await tempRepository(options);
    made.push(repository);
    return repository;
  };
}

/**
 * Called inside `describe`: answers a maker of empty temporary folders (real paths) that are removed after
 * each test.
 */
export function tempFolders(): () => Promise<string> {
  const made: string[] = [];
  afterEach(async () => {
    await Promise.all(made.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
  });
  return async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'beadsmith-test-')));
    made.push(folder);
    return folder;
  };
}

/** Only what git needs: a test must not depend on the configuration of the machine it runs on. */
const environment = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

class Repository implements TempRepository {
  readonly root: string;
  readonly #parent: string;

  constructor(parent: string, root: string) {
    this.#parent = parent;
    this.root = root;
  }

  async git(...args: readonly string[]): Promise<string> {
    const { stdout } = await run('git', args, {
      cwd: this.root,
      env: environment,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout.replace(/\n$/, '');
  }

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(this.root, path)), { recursive: true });
      await writeFile(join(this.root, path), content);
    }
  }

  async commit(files: Readonly<Record<string, string>>, message = 'Change'): Promise<string> {
    await this.write(files);
    await this.git('add', '--all');
    await this.git('commit', '--quiet', '--allow-empty', '--message', message);
    return this.git('rev-parse', 'HEAD');
  }

  async addOrigin(head = 'main'): Promise<string> {
    const bare = join(this.#parent, 'origin.git');
    await this.git('init', '--quiet', '--bare', `--initial-branch=${head}`, bare);
    await this.git('remote', 'add', 'origin', bare);
    await this.git('push', '--quiet', '--all', 'origin');
    await this.git('fetch', '--quiet', 'origin');
    await this.git('remote', 'set-head', 'origin', head);
    return bare;
  }

  async fingerprint(): Promise<string> {
    const status = await this.git(
      '--no-optional-locks',
      'status',
      '--porcelain=v2',
      '--branch',
      '--untracked-files=all',
    );
    return `${status}\n--\n${await this.git('ls-files', '--stage')}`;
  }

  async remove(): Promise<void> {
    await rm(this.#parent, { recursive: true, force: true });
  }
}
