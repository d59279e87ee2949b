import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileOf, type Setting } from './foreignSettings.ts';

/** A git that reads only. It answers the standard output, or undefined where it failed. */
export type ReadingGit = (args: readonly string[]) => Promise<string | undefined>;

/**
 * Finds the merge drivers (`merge.<name>.driver`) among these that a call could start: those that an
 * attribute names, in the worktree, in a commit of the call, or in this clone alone, and the default of all
 * files. Many clones have a driver that is left over; it doesn't stop a ticket.
 */
export async function usedDrivers(
  drivers: readonly Setting[],
  {
    args,
    all,
    cwd,
    git,
  }: {
    readonly args: readonly string[];
    readonly all: readonly Setting[];
    readonly cwd: string;
    readonly git: ReadingGit;
  },
): Promise<readonly Setting[]> {
  if (drivers.length === 0) return [];
  const commits = args.filter((arg) => /^[0-9a-f]{40,64}$/.test(arg));
  const inFiles = ['grep', '-h', '--fixed-strings', '-e', 'merge='];
  const files = ['--', ':(glob)**/.gitattributes'];
  const found = [await git([...inFiles, '--untracked', '--no-exclude-standard', ...files])];
  for (const commit of commits) found.push(await git([...inFiles, commit, ...files]));
  // What can't be read may name any.
  if (found.includes(undefined)) return drivers;
  const folders = new Set(
    all
      .flatMap((one) => (one.scope === 'local' ? [fileOf(one, cwd)] : []))
      .filter((file) => file !== undefined)
      .map(dirname),
  );
  for (const folder of folders)
    found.push(await readFile(join(folder, 'info', 'attributes'), 'utf8').catch(() => ''));
  const text = found.join('\n');
  const everywhere = all.flatMap(({ name, value }) => (name === 'merge.default' ? [value] : []));
  return drivers.filter(
    (driver) => text.includes(`merge=${nameOf(driver)}`) || everywhere.includes(nameOf(driver)),
  );
}

function nameOf({ name }: Setting): string {
  return name.slice('merge.'.length, -'.driver'.length);
}
