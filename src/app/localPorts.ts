import { join } from 'node:path';
import { WorktreeFiles } from '../adapters/files/ticketFiles.ts';
import { LocalForge } from '../adapters/forge/local/localForge.ts';
import { RunningCommands } from '../adapters/process/runningCommands.ts';
import { Shell } from '../adapters/process/shell.ts';
import { cacheRoot } from '../adapters/system/cacheRoot.ts';
import { ToolVersions } from '../adapters/system/toolVersions.ts';
import { SecretlintScanner } from '../adapters/secrets/secretlintScanner.ts';
import { GptTokens } from '../adapters/tokens/gptTokens.ts';
import { LocalWorkplace } from '../adapters/workplace/localWorkplace.ts';
import { Reservations } from '../adapters/workplace/reservations.ts';
import type { LongOutput } from '../domain/proof/failureExcerpt.ts';
import type { RepositorySettings } from '../domain/settings/settings.ts';
import { readApart } from '../phases/shared/structured/readApart.ts';
import { TextThread } from './textThread.ts';
import { TicketBoxes } from './ticketBoxes.ts';
import type { Sandbox } from '../engine/ports/sandboxPort.ts';
import type { Clock, Ports, Repository, TextReader } from '../engine/ports/ports.ts';

/**
 * The ports that need nothing but this machine: commands, the workplace, files of worktrees, pull requests as
 * documents, the tokenizer.
 */
export function localPorts(options: {
  readonly clock: Clock;
  readonly stateFolder: string;
  readonly repository: Pick<Repository, 'root' | 'commonDir'>;
  readonly settings?: Partial<RepositorySettings>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sandbox: Sandbox;
  readonly sandboxHosts: readonly string[];
}): Pick<Ports, 'process' | 'workplace' | 'files' | 'forge' | 'secrets' | 'texts' | 'tokens'> {
  const reservations = new Reservations(join(cacheRoot(options.env), 'tickets'));
  const { commonDir } = options.repository;
  const texts = new TextThread(locations.textWorker);
  const boxes = new TicketBoxes({
    repository: options.repository,
    reserve: (ticket) => reservations.of({ repository: commonDir, ticket }),
  });
  return {
    process: new Shell({
      clock: options.clock,
      environment: options.env,
      running: runningCommands(options.stateFolder),
      sandbox: options.sandbox,
      sandboxHosts: options.sandboxHosts,
      boxFor: (command) => boxes.forCommand(command),
      readTests: readTestsIn(texts),
    }),
    workplace: new LocalWorkplace({
      checkout: options.repository.root,
      repository: commonDir,
      environment: options.env,
      reservations,
      versions: ToolVersions.ofUser(options.env),
      now: () => options.clock.monotonic(),
      ticketFolders: join(options.stateFolder, 'tickets'),
      wishes: {
        copied: options.settings?.worktreeIncludeFiles ?? [],
        linked: options.settings?.worktreeSymlinkFolders ?? [],
      },
    }),
    files: new WorktreeFiles(),
    forge: new LocalForge(join(options.stateFolder, 'pull-requests')),
    secrets: new SecretlintScanner(),
    texts,
    tokens: new GptTokens(),
  };
}

/** Reads the results of tests in a thread. An output that takes too long to be read names none. */
export function readTestsIn(texts: TextReader): (text: string) => Promise<LongOutput | undefined> {
  return async (text) => {
    const answer = await readApart(texts, 'tests', text, text.length);
    return answer === 'late' ? undefined : answer.read;
  };
}

/**
 * The commands that run in worktrees of a repository. Who begins to drive it ends those of drivers that were
 * killed.
 */
export function runningCommands(stateFolder: string): RunningCommands {
  return new RunningCommands(join(stateFolder, 'commands'));
}

const fromSource = import.meta.url.endsWith('.ts');

/**
 * The locations of what the program starts or reads: beside the bundles, which lie flat in `dist/`, or in the
 * sources when those are run.
 */
export const locations = {
  /** The thread that owns the database. */
  storeWorker: place('../adapters/store/worker.ts', './storeWorker.js'),
  /** The thread that reads texts of strangers. */
  textWorker: place('./textWorker.ts', './textWorker.js'),
  /** The folder of prompt files, with a slash at its end. */
  prompts: place('../../prompts/', './prompts/'),
} as const;

function place(source: string, bundled: string): URL {
  return new URL(fromSource ? source : bundled, import.meta.url);
}
