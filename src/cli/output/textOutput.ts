import type { CliEvent } from '../../protocol/cliEvents.ts';
import { eventLine } from './eventLine.ts';
import type { Output, Sink } from '../base/output.ts';
import { oneLine } from '../base/output.ts';

/**
 * Lines for people. On a terminal the last line is updated in place and shows what is happening; elsewhere
 * only whole lines are written.
 */
export class TextOutput implements Output {
  readonly #out: Sink;
  readonly #err: Sink;
  #live = '';

  constructor(out: Sink, err: Sink) {
    this.#out = out;
    this.#err = err;
  }

  event(event: CliEvent): void {
    if (event.type === 'error') {
      this.#clear();
      this.#err.write(
        `beadsmith: ${oneLine(event.message, 2_000)}\n${event.nextStep ? `  ${oneLine(event.nextStep, 2_000)}\n` : ''}`,
      );
      return;
    }
    const line = eventLine(event);
    if (line === undefined) return;
    if (line.live) this.#show(line.text);
    else {
      // What happened in the previous status is over.
      if (event.type === 'status') this.close();
      this.#write(`${line.text}\n`);
    }
  }

  text(lines: string): void {
    this.#write(`${lines}\n`);
  }

  close(): void {
    this.#clear();
    this.#live = '';
  }

  #write(text: string): void {
    this.#clear();
    this.#out.write(text);
    if (this.#live) this.#show(this.#live);
  }

  #show(text: string): void {
    if (this.#out.isTTY !== true) return;
    this.#live = text;
    this.#out.write(`\r\u001B[K${oneLine(text, (this.#out.columns ?? 80) - 1)}`);
  }

  #clear(): void {
    if (this.#live && this.#out.isTTY === true) this.#out.write('\r\u001B[K');
  }
}
