import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { FoundHook } from '../../domain/environment/gitHooks.ts';
import type { GitCli } from './cli/gitCli.ts';
import { parseEntries } from './commits/signing.ts';

/** The hooks of git that run when commits are made and pushed. */
const names = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'pre-push'];
const managers = {
  husky: /\bhusky\b/,
  'pre-commit': /pre-commit\.com|\bpre_commit\b/,
  lefthook: /\blefthook\b/,
} as const;

/**
 * The hooks that git would run in a checkout, wherever `core.hooksPath` says that they are. None is started.
 */
export async function hooksIn(cli: GitCli, root: string, commonDir: string): Promise<readonly FoundHook[]> {
  const args = ['config', '--null', '--show-scope', '--type=path', '--get-regexp', '^core\\.hookspath$'];
  const { stdout } = await cli.run({ cwd: root }, { args, allow: [0, 1] });
  // Our own calls switch hooks off, as settings of the command.
  const set = parseEntries(stdout).findLast(({ scope }) => scope !== 'command')?.value;
  const folder = set === undefined ? join(commonDir, 'hooks') : resolve(root, set);
  const found: FoundHook[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const runs = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) found.push({ name, path: shortPath(root, path), manager: await managerOf(path) });
  }
  return found;
}

async function managerOf(path: string): Promise<string | null> {
  const text = `${path}\n${await readFile(path, 'utf8').catch(() => '')}`;
  return Object.entries(managers).find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

function shortPath(root: string, path: string): string {
  const below = relative(root, path);
  return below.startsWith('..') ? path : below;
}
