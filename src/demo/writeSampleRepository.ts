import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { introduce, runGit } from './git.ts';
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
