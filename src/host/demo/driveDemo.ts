import type { AppOptions } from '../../app/createApp.ts';
import { providerConfig, scriptedMembers } from '../../demo/providerConfig.ts';
import type { Log } from '../logging/log.ts';
import type { driveRepository, DriveSettings, OpenedRepository } from '../repositories/driveRepository.ts';
import type { DemoEntry } from './demos.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { BeadsmithError } from '../../domain/core/errors.ts';

/** The person's settings, as far as they apply to a demo. */
export interface DemoSettings extends Pick<
  DriveSettings,
  'repository' | 'decisions' | 'sandbox' | 'cleanUp'
> {
  /** The setting for OpenCode's binary. */
  binary(): string | undefined;
}

/**
 * Drives a demo like any repository, with a scripted model as long as it is open, and the configuration that
 * leads to it. Throws what `drive` throws, and DEMO_MODEL_FAILED.
 */
export async function driveDemo(
  root: string,
  demo: DemoEntry,
  settings: DemoSettings,
  env: AppOptions['env'],
  log: Log,
  drive: typeof driveRepository,
): Promise<OpenedRepository> {
  const model = await ScriptedModel.start(portOf(demo), log);
  log.info(
    `${root}: a demo, its models are played by a script at ${model.url} (process ${String(model.pid)})`,
  );
  try {
    const repository = await drive(root, scripted(settings, model.url), env, log);
    const close = async (): Promise<void> => {
      try {
        await repository.close();
      } finally {
        await model.end();
      }
    };
    const wantsReopening = async (): Promise<boolean> =>
      !(await model.keepUp()) || repository.wantsReopening();
    return { ...repository, isDemo: true, wantsReopening, close };
  } catch (error) {
    await model.end();
    throw error;
  }
}

/** Settings that fit the recording: what a person chose for their own tickets is left alone. */
function scripted(settings: DemoSettings, url: string): DriveSettings {
  const [mainImplementer, ...councilMembers] = scriptedMembers;
  return {
    repository: (root) => settings.repository(root),
    decisions: () => settings.decisions(),
    opencode: () => {
      const binary = settings.binary();
      return Promise.resolve({ ...(binary === undefined ? {} : { binary }), config: providerConfig(url) });
    },
    promptFolder: () => undefined,
    isScripted: true,
    sandbox: (environment) => settings.sandbox(environment),
    sandboxHosts: () => [],
    cleanUp: () => settings.cleanUp(),
    start: () => ({
      ...(mainImplementer === undefined ? {} : { mainImplementer }),
      councilMembers,
      settings: {},
      limits: {},
    }),
    rememberModels: () => Promise.resolve(),
  };
}

/**
 * The same for a demo each time, so that its OpenCode server outlives a reload of the window. Below the ports
 * that systems hand out, and nothing that others could guess.
 */
export function portOf({ id }: Pick<DemoEntry, 'id'>): number {
  return 20_000 + (Number.parseInt(id.slice(0, 8), 16) % 12_000);
}

/** The scripted model of an open demo. It answers from each request alone, so one that died is replaced. */
export class ScriptedModel {
  /** The base URL of a provider, the same as long as this object lives. */
  readonly url: string;
  readonly #log: Pick<Log, 'write' | 'failure'>;
  #process: ModelProcess;

  private constructor(process: ModelProcess, log: Pick<Log, 'write' | 'failure'>) {
    this.url = process.url;
    this.#process = process;
    this.#log = log;
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** `port`: preferred, so that an OpenCode server from before can continue. Throws DEMO_MODEL_FAILED. */
  static async start(port: number, log: Pick<Log, 'write' | 'failure'>): Promise<ScriptedModel> {
    return new ScriptedModel(await startModelProcess(port).catch(() => startModelProcess(0)), log);
  }

  /** Starts it again where it was, if need be. Answers whether it runs: its port may be taken. */
  async keepUp(): Promise<boolean> {
    if (this.#process.isRunning()) return true;
    this.#log.write(
      'warn',
      `the scripted model of the demo (process ${String(this.pid)}) ended, and is started again`,
    );
    try {
      this.#process = await startModelProcess(Number(new URL(this.url).port));
      return true;
    } catch (error) {
      this.#log.failure('the scripted model', error);
      return false;
    }
  }

  /** Not while it is kept up, and for good. */
  end(): Promise<void> {
    return this.#process.end();
  }
}

interface ModelProcess {
  /** The base URL of a provider. */
  readonly url: string;
  readonly pid: number;
  isRunning(): boolean;
  end(): Promise<void>;
}

/** A person wants to see that something happens between two answers. */
const latencyMs = 250;
const startLimitMs = 30_000;
const Listening = z.object({ url: z.url(), pid: z.int() });

/**
 * Starts the scripted model as a process that ends with this one. `port` 0: any. Throws DEMO_MODEL_FAILED.
 */
async function startModelProcess(port: number): Promise<ModelProcess> {
  const args = [program(), '--demo', '--port', String(port), '--latency', String(latencyMs), '--with-parent'];
  const { PATH, SystemRoot } = process.env;
  const child = spawn(process.execPath, args, {
    // The editor's own executable is a Node only when it is told so.
    env: { PATH, SystemRoot, ELECTRON_RUN_AS_NODE: '1', NODE_NO_WARNINGS: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  // The process ends with its standard input; then no reader of this output is left either.
  child.stdin.on('error', () => undefined);
  const started = Promise.withResolvers<string>();
  let [out, said] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    if (out.includes('\n')) started.resolve(out);
  });
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(0, 1_000)));
  child.once('error', started.reject);
  child.once('close', (code) =>
    started.reject(new Error(said.split('\n')[0] || `it ended with ${String(code)}`)),
  );
  const timer = setTimeout(() => started.reject(new Error('it does not answer')), startLimitMs);
  try {
    return {
      ...Listening.parse(JSON.parse(await started.promise)),
      isRunning: () => isRunning(child),
      end: () => end(child),
    };
  } catch (error) {
    await end(child);
    throw new BeadsmithError('DEMO_MODEL_FAILED', {
      reason: error instanceof Error ? error.message : String(error),
    });
  } finally {
    clearTimeout(timer);
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

async function end(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return;
  const gone = once(child, 'exit');
  child.stdin?.end();
  child.kill('SIGTERM');
  const isGone = await Promise.race([gone.then(() => true), pause(3_000, false)]);
  if (!isGone) child.kill('SIGKILL');
}

/** Beside this file in the bundle, and in the sources. */
function program(): string {
  const here = import.meta.url;
  return fileURLToPath(new URL(here.endsWith('.ts') ? '../../demo/main.ts' : './scriptedModel.js', here));
}
