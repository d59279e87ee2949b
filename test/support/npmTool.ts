import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheRoot } from '../../src/adapters/system/cacheRoot.ts';

/**
 * A tool of the npm registry, installed once into the user's cache. Answers the folder of its programs, for a
 * search path.
 */
export async function npmTool(name: string, version: string): Promise<string> {
  const folder = join(cacheRoot(process.env), 'test-tools', `${name.replace('/', '-')}-${version}`);
  const programs = join(folder, 'node_modules', '.bin');
  if (existsSync(programs)) return programs;
  await mkdir(dirname(folder), { recursive: true });
  const made = await mkdtemp(`${folder}-`);
  await writeFile(join(made, 'package.json'), '{ "private": true }\n');
  const args = [
    'install',
    '--no-save',
    '--no-package-lock',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    `${name}@${version}`,
  ];
  await promisify(execFile)('npm', args, { cwd: made });
  // Of two at once the second yields.
  await rename(made, folder).catch(() => rm(made, { recursive: true, force: true }));
  return programs;
}
