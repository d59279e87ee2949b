import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { BeadsmithError } from '../domain/core/errors.ts';
import { sampleRepository } from './sampleRepository.ts';

const history: readonly { readonly subject: string; readonly paths: RegExp }[] = [
  {
    subject: 'Keep items in an inventory',
    paths: /^(package\.json|\.gitignore|src\/(item|inventory)\.js|test\/(item|inventory)\.test\.js)$/,
  },
  {
    subject: 'Report what lies on the shelves',
    paths: /^(src\/(money|report|formatText)\.js|test\/(money|report)\.test\.js)$/,
  },
  { subject: 'Read inventories from files, add the command', paths: /./ },
];

/**
 * Writes the sample into an empty or missing folder as a git repository with three commits on `main`. Returns
 * the newest commit. GIT_FAILED.
 */
export async function writeSampleRepository(folder: string, program = 'git'): Promise<string> {
  const git = (at: string, ...args: readonly string[]) => runGit(program, at, args);
  await mkdir(folder, { recursive: true });
  await git(folder, 'init', '--quiet', '--initial-branch=main');
  // In the repository's own configuration, so that commits work on a machine where nobody told git who they
  // are.
  await git(folder, 'config', 'user.name', 'Sample Author');
  await git(folder, 'config', 'user.email', 'author@sample.invalid');
  await git(folder, 'config', 'commit.gpgsign', 'false');
  const left = new Map(Object.entries(sampleRepository));
  for (const [index, { subject, paths }] of history.entries()) {
    for (const [path, content] of [...left].filter(([name]) => paths.test(name))) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      await git(folder, 'add', '--', path);
      left.delete(path);
    }
    await git(
      folder,
      'commit',
      '--quiet',
      '--no-verify',
      '-m',
      subject,
      `--date=2026-0${String(index + 3)}-02T09:00:00Z`,
    );
  }
  return (await git(folder, 'rev-parse', 'HEAD')).trim();
}

/** Runs git with these arguments in a folder, and answers what it printed. Throws GIT_FAILED. */
export async function runGit(program: string, folder: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, ['-C', folder, ...args], {
      windowsHide: true,
      env: elsewhere(),
    });
    return stdout;
  } catch (error) {
    const said =
      error instanceof Error && 'stderr' in error && typeof error.stderr === 'string'
        ? error.stderr.trim()
        : '';
    throw new BeadsmithError(
      'GIT_FAILED',
      { command: args[0] ?? '', reason: said || String(error) },
      { cause: error },
    );
  }
}

/**
 * Variables that are removed so that only the folder says where git works: in a hook, they would lead it to
 * the repository of the hook.
 */
const places = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_CONFIG',
];

function elsewhere(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !places.includes(name)));
}
