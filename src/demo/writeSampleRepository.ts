import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { sampleRepository } from './sampleRepository.ts';

const history: readonly { readonly subject: string; readonly paths: RegExp }[] = [
  {
    subject: 'Keep items in an inventory',
    paths: /^(package\.json|\.gitignore|src\/(item|inventory)\.js|test\/(item|inventory)\.test\.js)$/,
  },
  { subject: 'Report what lies on the shelves', paths: /^(src\/(money|report|formatText)\.js|test\/(money|report)\.test\.js)$/ },
  { subject: 'Read inventories from files, add the command', paths: /./ },
];

/** Writes the sample into an empty or missing folder as a git repository with three commits on `main`. Returns the newest commit. */
export async function writeSampleRepository(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await git(folder, 'init', '--quiet', '--initial-branch=main');
  // In the repository's own configuration, so that commits work on a machine where nobody told git who they are.
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
    await git(folder, 'commit', '--quiet', '--no-verify', '-m', subject, `--date=2026-0${String(index + 3)}-02T09:00:00Z`);
  }
  return (await git(folder, 'rev-parse', 'HEAD')).trim();
}

async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['-C', folder, ...args]);
  return stdout;
}
