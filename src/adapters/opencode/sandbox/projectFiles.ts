import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { writeAtomically, textAt, makePrivateFolder } from '../../system/files.ts';

/** OpenCode's own switches, which don't reach all files of repository and home. */
const switches = [
  'OPENCODE_DISABLE_PROJECT_CONFIG',
  'OPENCODE_DISABLE_DEFAULT_PLUGINS',
  'OPENCODE_DISABLE_CLAUDE_CODE',
  'OPENCODE_DISABLE_EXTERNAL_SKILLS',
  'OPENCODE_PURE',
];

/** Plugins are imported in order, the own folder's first: behind this one, none is. */
export const barrier = 'await new Promise(() => {});\n';

const ignored = ['node_modules', 'package.json', 'package-lock.json', 'bun.lock', '.gitignore'].join('\n');

export const ownVariables = [...switches, 'OPENCODE_TEST_HOME', 'GIT_ALLOW_PROTOCOL'];

/**
 * Keeps a server from loading files of the worktree, and of a home that agents can write
 * (docs/decisions/121-agent-files-are-not-loaded.md). `config`: its XDG folder. Answers variables.
 */
export async function withoutProjectFiles(config: string): Promise<Record<string, string>> {
  const folder = join(config, 'opencode', 'plugin');
  const file = join(folder, '0.js');
  await makePrivateFolder(folder);
  if ((await textAt(file)) !== barrier) await writeAtomically(file, barrier, { durable: false });
  // OpenCode writes it where it is missing, and fails where the folder is read-only.
  const ignore = join(config, 'opencode', '.gitignore');
  if (!existsSync(ignore)) await writeAtomically(ignore, ignored, { durable: false });
  return {
    ...Object.fromEntries(switches.map((name) => [name, '1'])),
    // The folder whose `.opencode` counts as the person's.
    OPENCODE_TEST_HOME: config,
    // Configuration may name repositories to clone.
    GIT_ALLOW_PROTOCOL: 'none',
  };
}

/** Refuses them to a server that isn't ours. Throws OPENCODE_START_FAILED. */
export function refuseProjectFiles(directory: string, url: string): void {
  const found = ['.opencode', 'opencode.json', 'opencode.jsonc'].find((name) =>
    existsSync(join(directory, name)),
  );
  if (found === undefined) return;
  const reason = `${url} would load ${join(directory, found)}. Without beadsmith.opencode.url, Beadsmith starts a server that loads no such file.`;
  throw new BeadsmithError('OPENCODE_START_FAILED', { reason });
}
