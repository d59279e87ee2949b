import { Worker } from 'node:worker_threads';
import { BeadsmithError } from '../domain/core/errors.ts';
import type { TextReader } from '../engine/ports/ports.ts';

/** A task for the thread. */
export interface TextTask {
  readonly reader: string;
  readonly input: unknown;
}

/** A message of the thread: first that it is ready, then one answer a task. */
export type TextMessage = 'ready' | { readonly value: unknown } | { readonly error: string };
type Answer = Exclude<TextMessage, 'ready'> | 'late' | 'ended';

/** A text of a stranger that takes longer is refused, and its thread is ended. */
const mostMs = 20_000;
/** Until it is there a thread may take so long. */
const startMs = 30_000;
/** A thread that has nothing to do is kept so long for the next text. */
const idleMs = 30_000;
/** A text that needs more memory ends the thread, and not the editor. */
const mostMegabytes = 512;

/**
 * Reads texts in one thread, one after the other, because some libraries take a time that grows faster than
 * the text, as YAML and the repair of JSON (docs/decisions/116-hostile-input.md). The thread is started on
 * first use, and again when it ended. A text that ends it twice is refused as one that takes too long.
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
    // Its end says enough.
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
