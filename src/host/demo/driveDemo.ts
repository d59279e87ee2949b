import type { AppOptions } from '../../app/createApp.ts';
import { providerConfig, scriptedMembers } from '../../demo/providerConfig.ts';
import type { Log } from '../logging/log.ts';
import type { driveRepository, DriveSettings, OpenedRepository } from '../repositories/driveRepository.ts';
import type { DemoEntry } from './demos.ts';
import { type ModelProcess, startModelProcess } from './modelProcess.ts';

/** The person's settings, as far as they apply to a demo. */
export interface DemoSettings extends Pick<
  DriveSettings,
  'repository' | 'decisions' | 'sandbox' | 'cleanUp'
> {
  /** The setting for OpenCode's binary. */
  binary(): string | undefined;
}

/**
 * Drives a demo like any repository, with a scripted model that runs as long as it is open, and with the
 * configuration that leads to it where a person's own would be. Throws what `drive` throws, and
 * DEMO_MODEL_FAILED.
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

/**
 * The recording fits the defaults. Which models and limits a person chose for their own tickets is neither
 * used nor changed.
 */
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

/**
 * The scripted model of an open demo. It answers from each request alone, so that one that died is replaced
 * without a visible effect.
 */
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

  /**
   * `port` is the preferred one, so that an OpenCode server from before can continue to use it; if another
   * process has it, a different port is used. DEMO_MODEL_FAILED.
   */
  static async start(port: number, log: Pick<Log, 'write' | 'failure'>): Promise<ScriptedModel> {
    return new ScriptedModel(await startModelProcess(port).catch(() => startModelProcess(0)), log);
  }

  /**
   * Starts it again where it was if it isn't running any more. Answers whether it runs; it doesn't when
   * another process took its port.
   */
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
