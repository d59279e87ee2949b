import { Worker } from 'node:worker_threads';
import { BeadsmithError } from '../domain/core/errors.ts';
import type { TextReader } from '../engine/ports/ports.ts';

export interface TextTask {
  readonly reader: string;
  readonly input: unknown;
}

export type TextMessage = 'ready' | { readonly value: unknown } | { readonly error: string };
type Answer = Exclude<TextMessage, 'ready'> | 'late' | 'ended';

/** Slower texts are refused, and end the thread. */
const mostMs = 20_000;
const startMs = 30_000;
const idleMs = 30_000;
/** A larger text ends only the thread. */
const mostMegabytes = 512;

/**
 * Reads texts in one thread, in turn, because YAML and JSON repair can take more than linear time
 * (docs/decisions/116-hostile-input.md). A text that ends it twice is refused.
 */
export class TextThread implements TextReader {
  readonly #url: URL;
  readonly #mostMs: number;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  constructor(url: URL, limit = mostMs) {
    this.#url = url;
    this.#mostMs = limit;
  }

  async read(
    reader: string,
    input: unknown,
    signal?: AbortSignal,
  ): Promise<{ readonly read: unknown } | 'late'> {
    const answer = await this.#inTurn({ reader, input }, signal);
    return answer === 'late' ? answer : { read: answer.value };
  }

  #inTurn(task: TextTask, signal?: AbortSignal): Promise<{ readonly value: unknown } | 'late'> {
    const turn = this.#last.then(async () => {
      for (let attempt = 1; ; attempt++) {
        const answer = signal?.aborted === true ? 'late' : await this.#run(task, signal);
        if (answer === 'ended' && attempt === 1) continue;
        if (answer === 'late' || answer === 'ended') return 'late';
        if ('error' in answer) throw new BeadsmithError('UNEXPECTED', { reason: answer.error });
        return answer;
      }
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  #run(task: TextTask, signal: AbortSignal | undefined): Promise<Answer> {
    clearTimeout(this.#idle);
    const isNew = this.#worker === undefined;
    const worker = (this.#worker ??= this.#started());
    worker.ref();
    return new Promise((resolve) => {
      const settle = (answer: Answer): void => {
        clearTimeout(limit);
        signal?.removeEventListener('abort', abort);
        worker.off('message', hear).off('exit', ended);
        worker.unref();
        if (answer === 'late') this.#end();
        else this.#idle = setTimeout(() => this.#end(), idleMs).unref();
        resolve(answer);
      };
      const abort = (): void => settle('late');
      const ended = (): void => settle('ended');
      const hear = (message: TextMessage): void => {
        if (message !== 'ready') settle(message);
        else {
          clearTimeout(limit);
          limit = setTimeout(abort, this.#mostMs);
        }
      };
      let limit = setTimeout(abort, isNew ? startMs : this.#mostMs);
      signal?.addEventListener('abort', abort);
      worker.on('message', hear).on('exit', ended);
      worker.postMessage(task);
    });
  }

  #started(): Worker {
    const worker = new Worker(this.#url, {
      execArgv: [],
      name: 'beadsmith texts',
      resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
    });
    // `exit` follows.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }
}
