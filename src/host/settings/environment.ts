import { delimiter } from 'node:path';
import { workspace } from 'vscode';
import * as z from 'zod';
import { gitVariable } from '../../adapters/system/programs.ts';

const GitPath = z.union([z.string().transform((path) => [path]), z.array(z.string())]).catch([]);

/**
 * The environment of this process, with the git that the editor itself uses (`git.path`). A copy: the process
 * and its environment belong to all extensions.
 */
export function environment(): Readonly<Record<string, string | undefined>> {
  const paths = GitPath.parse(workspace.getConfiguration('git').get<unknown>('path')).filter(
    (path) => path !== '',
  );
  return paths.length === 0 ? process.env : { ...process.env, [gitVariable]: paths.join(delimiter) };
}
