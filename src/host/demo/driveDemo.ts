import { reasonOf } from '../../adapters/system/files.ts';
import type { AppOptions } from '../../app/createApp.ts';
import { providerConfig, scriptedMembers } from '../../demo/providerConfig.ts';
import type { Log } from '../logging/log.ts';
import type { driveRepository, DriveSettings } from '../repositories/driveRepository.ts';
import type { OpenedRepository } from '../repositories/openedRepository.ts';
import type { DemoEntry } from './demos.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { BeadsmithError } from '../../domain/core/errors.ts';

interface DemoSettings extends Pick<
  DriveSettings,
  'repository' | 'decisions' | 'sandbox' | 'cleanUp' | 'starred'
> {
  binary(): string | undefined;
}

/** Drives a demo with a scripted model. Throws as `drive`, and DEMO_MODEL_FAILED. */
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

/** Fits the recording, whatever a person's settings are. */
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
    starred: settings.starred,
    github: () => ({ watch: false, failedChecks: 'ask', issueComments: 'off' }),
  };
}

/** Stable per demo, so that its OpenCode server outlives a reload; below the system's ephemeral ports. */
export function portOf({ id }: Pick<DemoEntry, 'id'>): number {
  return 20_000 + (Number.parseInt(id.slice(0, 8), 16) % 12_000);
}

/** Stateless, so that a dead one can be replaced. */
export class ScriptedModel {
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

  /** `port`: preferred, for an OpenCode server that still runs. Throws DEMO_MODEL_FAILED. */
  static async start(port: number, log: Pick<Log, 'write' | 'failure'>): Promise<ScriptedModel> {
    return new ScriptedModel(await startModelProcess(port).catch(() => startModelProcess(0)), log);
  }

  /** Restarts it at the same port, if needed; false if it can't. */
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

  /** Never during `keepUp`. */
  end(): Promise<void> {
    return this.#process.end();
  }
}

interface ModelProcess {
  readonly url: string;
  readonly pid: number;
  isRunning(): boolean;
  end(): Promise<void>;
}

/** Visible work between two answers. */
const latencyMs = 250;
const startLimitMs = 30_000;
const Listening = z.object({ url: z.url(), pid: z.int() });

/** Ends with this process. `port` 0: any. Throws DEMO_MODEL_FAILED. */
async function startModelProcess(port: number): Promise<ModelProcess> {
  const args = [program(), '--demo', '--port', String(port), '--latency', String(latencyMs), '--with-parent'];
  const { PATH, SystemRoot } = process.env;
  const child = spawn(process.execPath, args, {
    // The editor's executable is a Node only with this.
    env: { PATH, SystemRoot, ELECTRON_RUN_AS_NODE: '1', NODE_NO_WARNINGS: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  // The process ends with its standard input.
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
      reason: reasonOf(error),
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

/** In the bundle or the sources. */
function program(): string {
  const here = import.meta.url;
  return fileURLToPath(new URL(here.endsWith('.ts') ? '../../demo/main.ts' : './scriptedModel.js', here));
}
