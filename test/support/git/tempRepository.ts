import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** With `user.name` "Ada Tester" and the branch `main`. */
export interface TempRepository {
  /** Real. Its parent belongs to it, so `<root>.worktrees` is removed too. */
  readonly root: string;
  /** Answers standard output without the last line break. */
  git(...args: readonly string[]): Promise<string>;
  /** Makes folders as needed. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** Commits everything that changed; answers the full hash. */
  commit(files: Readonly<Record<string, string>>, message?: string): Promise<string>;
  /** Bare, beside the checkout, with all branches and `origin/HEAD`; answers its path. */
  addOrigin(head?: string): Promise<string>;
  /** HEAD, branch, index and status: what must not change behind the user's back. */
  fingerprint(): Promise<string>;
  remove(): Promise<void>;
}

interface TempRepositoryOptions {
  /** Null: without commits. */
  readonly files?: Readonly<Record<string, string>> | null;
  readonly name?: string;
  /** A real, empty folder in which the checkout is made. Default: a new one. */
  readonly parent?: string;
}

/** The caller removes it; see `tempRepositories`. */
export async function tempRepository(options: TempRepositoryOptions = {}): Promise<TempRepository> {
  const parent = options.parent ?? (await realpath(await mkdtemp(join(tmpdir(), 'beadsmith-git-'))));
  const root = join(parent, options.name ?? 'sample');
  const repository = new Repository(parent, root);
  const files = options.files === undefined ? { 'README.md': '# Sample\n' } : options.files;
  const kind = JSON.stringify(files);
  const model = models.get(kind);
  // A copy takes a fraction of the time.
  if (model) copyTree(model, root);
  else models.set(kind, await makeModel(repository, files, await modelFolder()));
  return repository;
}

/** `root`: a real path. */
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

/** File by file it takes ten times the processor time. */
function copyTree(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
}

/** Called inside `describe`; they are removed after each test. */
export function tempRepositories(): (options?: TempRepositoryOptions) => Promise<TempRepository> {
  const made: TempRepository[] = [];
  afterEach(() => Promise.all(made.splice(0).map((repository) => repository.remove())));
  return async (options) => {
    const repository = await tempRepository(options);
    made.push(repository);
    return repository;
  };
}

/** Called inside `describe`: empty folders (real paths), removed after each test. */
export function tempFolders(): () => Promise<string> {
  const made: string[] = [];
  afterEach(() => Promise.all(made.splice(0).map((folder) => rm(folder, { recursive: true, force: true }))));
  return async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'beadsmith-test-')));
    made.push(folder);
    return folder;
  };
}

/** A test must not depend on the configuration of the machine. */
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
