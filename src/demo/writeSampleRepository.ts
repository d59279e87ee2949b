import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { BeadsmithError } from '../domain/core/errors.ts';
import { sampleFiles } from './sample/sample.ts';

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

/** Writes a git repository with three commits on `main`, and returns the newest. Throws GIT_FAILED. */
export async function writeSampleRepository(folder: string, program = 'git'): Promise<string> {
  const git = (...args: readonly string[]) => runGit(program, folder, args);
  await mkdir(folder, { recursive: true });
  await git('init', '--quiet', '--initial-branch=main');
  await introduce(program, folder, 'Sample Author', 'author@sample.invalid');
  const left = new Map(Object.entries(sampleFiles));
  for (const [index, { subject, paths }] of history.entries()) {
    for (const [path, content] of [...left].filter(([name]) => paths.test(name))) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      await git('add', '--', path);
      left.delete(path);
    }
    const date = `--date=2026-0${String(index + 3)}-02T09:00:00Z`;
    await git('commit', '--quiet', '--no-verify', '-m', subject, date);
  }
  return (await git('rev-parse', 'HEAD')).trim();
}

/** Commits must work on a machine where git knows nobody. */
async function introduce(program: string, folder: string, name: string, email: string): Promise<void> {
  const settings = { 'user.name': name, 'user.email': email, 'commit.gpgsign': 'false' };
  for (const [key, value] of Object.entries(settings)) await runGit(program, folder, ['config', key, value]);
}

/** Returns the output. Throws GIT_FAILED. */
async function runGit(program: string, folder: string, args: readonly string[]): Promise<string> {
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

/** Removed, so that only the folder decides where git works, even in a hook. */
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

/** Borrows objects; nothing reaches `root`. `branch`: null for the checked out one. Throws GIT_FAILED. */
export async function copyRepository(root: string, folder: string, branch: string | null): Promise<void> {
  const fetched = branch === null ? undefined : await onlyFetched(root, branch);
  // A clone has no branches that the repository only fetched.
  const wanted = branch === null ? [] : fetched === undefined ? ['--branch', branch] : ['--no-checkout'];
  await runGit('git', root, [
    'clone',
    '--quiet',
    '--shared',
    '--no-tags',
    '--template=',
    ...wanted,
    '--',
    root,
    folder,
  ]);
  await introduce('git', folder, 'Rehearsal', 'rehearsal@sample.invalid');
  await runGit('git', folder, ['remote', 'remove', 'origin']);
  if (branch !== null && fetched !== undefined) await checkOutAlone(folder, branch, fetched);
}

/** All other branches go, so that none is taken for it. */
async function checkOutAlone(folder: string, branch: string, commit: string): Promise<void> {
  await runGit('git', folder, ['checkout', '--quiet', '--no-track', '-B', branch, commit]);
  const heads = (
    await runGit('git', folder, ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads'])
  ).split('\n');
  const others = heads.filter((head) => head !== '' && head !== branch);
  if (others.length > 0)
    await runGit('git', folder, ['branch', '--quiet', '--delete', '--force', '--', ...others]);
}

/** The commit of a branch that is only at `origin`; undefined otherwise. */
async function onlyFetched(root: string, branch: string): Promise<string | undefined> {
  const refs = [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`];
  const found = await runGit('git', root, ['for-each-ref', '--format=%(refname) %(objectname)', ...refs]);
  // A pattern also finds what is below it.
  const [here, there] = refs.map((ref) => found.split('\n').find((line) => line.startsWith(`${ref} `)));
  return here === undefined ? there?.split(' ')[1] : undefined;
}
