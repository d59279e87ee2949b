import { join } from 'node:path';
import { WorktreeFiles } from '../adapters/files/ticketFiles.ts';
import { LocalForge } from '../adapters/forge/local/localForge.ts';
import { RunningCommands } from '../adapters/process/runningCommands.ts';
import { Shell } from '../adapters/process/shell.ts';
import { GptTokens } from '../adapters/tokens/gptTokens.ts';
import type { Clock, Ports } from '../engine/ports/ports.ts';

/** The ports that need nothing but this machine: commands, files of worktrees, pull requests as documents, the tokenizer. */
export function localPorts(options: {
  readonly clock: Clock;
  readonly stateFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}): Pick<Ports, 'process' | 'files' | 'forge' | 'tokens'> {
  return {
    process: new Shell({ clock: options.clock, environment: options.env, running: runningCommands(options.stateFolder) }),
    files: new WorktreeFiles(),
    forge: new LocalForge(join(options.stateFolder, 'pull-requests')),
    tokens: new GptTokens(),
  };
}

/** The commands that run in worktrees of a repository. Who begins to drive it ends those of drivers that were killed. */
export function runningCommands(stateFolder: string): RunningCommands {
  return new RunningCommands(join(stateFolder, 'commands'));
}

const fromSource = import.meta.url.endsWith('.ts');

/** Where the program finds what it starts or reads: beside the bundles, which lie flat in `dist/`, or in the sources when those are run. */
export const locations = {
  /** The thread that owns the database. */
  storeWorker: place('../adapters/store/worker.ts', './storeWorker.js'),
  /** The folder of prompt files, with a slash at its end. */
  prompts: place('../../prompts/', './prompts/'),
} as const;

function place(source: string, bundled: string): URL {
  return new URL(fromSource ? source : bundled, import.meta.url);
}
