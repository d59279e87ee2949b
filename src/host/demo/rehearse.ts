import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Rehearse } from '../../views/demo/demo.ts';

/** More of what it says isn't kept. Characters. */
const mostText = 1_000_000;

/**
 * Rehearsals by the command line that is part of this extension, as a process of their own: what runs in a
 * copy of the repository has no part in this one (docs/decisions/152-rehearsals.md). `binary`: the setting
 * for OpenCode's program.
 */
export function rehearseBy(
  binary: () => string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Rehearse {
  return async ({ root, ticket, signal, onLine }) => {
    const opencode = binary();
    const args = [
      program(),
      'rehearse',
      ticket,
      '--repo',
      root,
      ...(opencode === undefined ? [] : ['--opencode', opencode]),
    ];
    // The editor's own executable is a Node only when it is told so.
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...env, ELECTRON_RUN_AS_NODE: '1', NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let text = '';
    const hear = (chunk: Buffer): void => {
      text = (text + chunk.toString()).slice(0, mostText);
      const line = text.trimEnd().split('\n').at(-1)?.trim() ?? '';
      if (line !== '') onLine(line);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    // It ends in an orderly way, and takes the copy with it.
    const stop = (): void => void child.kill('SIGTERM');
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    const ended = Promise.withResolvers<number | null>();
    child.once('error', ended.reject);
    child.once('close', ended.resolve);
    try {
      return { isWhole: (await ended.promise) === 0, text };
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };
}

/** Beside this file in the bundle. */
function program(): string {
  const here = import.meta.url;
  return fileURLToPath(new URL(here.endsWith('.ts') ? '../../../dist/cli.js' : './cli.js', here));
}
