import { join } from 'node:path';
import { WorktreeFiles } from '../adapters/files/ticketFiles.ts';
import { LocalForge } from '../adapters/forge/local/localForge.ts';
import { RunningCommands } from '../adapters/process/runningCommands.ts';
import { Shell } from '../adapters/process/shell.ts';
import { GptTokens } from '../adapters/tokens/gptTokens.ts';
import type { Ports } from '../engine/ports/ports.ts';

/** The ports that need nothing but this machine: commands, files of worktrees, pull requests as documents, the tokenizer. */
export function localPorts(options: {
  readonly stateFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}): Pick<Ports, 'process' | 'files' | 'forge' | 'tokens'> {
  return {
    process: new Shell({ environment: options.env, running: runningCommands(options.stateFolder) }),
    files: new WorktreeFiles(),
    forge: new LocalForge(join(options.stateFolder, 'pull-requests')),
    tokens: new GptTokens(),
  };
}

/** The commands that run in worktrees of a repository. Who begins to drive it ends those of drivers that were killed. */
export function runningCommands(stateFolder: string): RunningCommands {
  return new RunningCommands(join(stateFolder, 'commands'));
}
