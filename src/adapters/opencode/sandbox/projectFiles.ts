import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { writeAtomically } from '../../system/files.ts';

/** Its own switches against what repository and home have for OpenCode. They don't reach all of it. */
const switches = [
  'OPENCODE_DISABLE_PROJECT_CONFIG',
  'OPENCODE_DISABLE_DEFAULT_PLUGINS',
  'OPENCODE_DISABLE_CLAUDE_CODE',
  'OPENCODE_DISABLE_EXTERNAL_SKILLS',
  'OPENCODE_PURE',
];

/** OpenCode imports plugins in order, its own configuration folder first: behind this one, none is. */
export const barrier = 'await new Promise(() => {});\n';

const ignored = ['node_modules', 'package.json', 'package-lock.json', 'bun.lock', '.gitignore'].join('\n');

/** The variables that commands of an agent don't get. */
export const ownVariables = [...switches, 'OPENCODE_TEST_HOME', 'GIT_ALLOW_PROTOCOL'];

/**
 * Keeps a server from loading files of the worktree, and of the home that an agent can write
 * (docs/decisions/121-agent-files-are-not-loaded.md). `config`: its XDG folder of configurations. Answers the
 * variables to start it with.
 */
export async function withoutProjectFiles(config: string): Promise<Record<string, string>> {
  const folder = join(config, 'opencode', 'plugin');
  const file = join(folder, '0.js');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readFile(file, 'utf8').catch(() => '')) !== barrier)
    await writeAtomically(file, barrier, { durable: false });
  // OpenCode writes this one itself where it is missing, and fails where it can't: in a sandbox the folder is
  // only read.
  const ignore = join(config, 'opencode', '.gitignore');
  if (!existsSync(ignore)) await writeAtomically(ignore, ignored, { durable: false });
  return {
    ...Object.fromEntries(switches.map((name) => [name, '1'])),
    // The folder whose `.opencode` counts as the person's own.
    OPENCODE_TEST_HOME: config,
    // Configuration may name repositories to be cloned.
    GIT_ALLOW_PROTOCOL: 'none',
  };
}

/** For a server that isn't ours, and so would load them. Throws OPENCODE_START_FAILED. */
export function refuseProjectFiles(directory: string, url: string): void {
  const found = ['.opencode', 'opencode.json', 'opencode.jsonc'].find((name) =>
    existsSync(join(directory, name)),
  );
  if (found === undefined) return;
  const reason = `${url} would load ${join(directory, found)}. Without beadsmith.opencode.url, Beadsmith starts a server that loads no such file.`;
  throw new BeadsmithError('OPENCODE_START_FAILED', { reason });
}
