import type { Log } from '../logging/log.ts';
import { type ModelProcess, startModelProcess } from './modelProcess.ts';

/** The scripted model of an open demo. It answers from each request alone, so that one that died is replaced without anybody noticing. */
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
   * `port` is the preferred one, so that an OpenCode server from before can continue to use it; if another process has it, a different port is used.
   * DEMO_MODEL_FAILED.
   */
  static async start(port: number, log: Pick<Log, 'write' | 'failure'>): Promise<ScriptedModel> {
    return new ScriptedModel(await startModelProcess(port).catch(() => startModelProcess(0)), log);
  }

  /** Starts it again where it was if it isn't running any more. Answers whether it runs; it doesn't when another process took its port. */
  async keepUp(): Promise<boolean> {
    if (this.#process.isRunning()) return true;
    this.#log.write('warn', `the scripted model of the demo (process ${String(this.pid)}) ended, and is started again`);
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
