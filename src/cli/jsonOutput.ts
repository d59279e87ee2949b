import type { CliEvent } from '../protocol/cliEvents.ts';
import type { Output, Sink } from './output.ts';

/** One event a line, as protocol/cliEvents.ts has them. */
export class JsonOutput implements Output {
  readonly #sink: Sink;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  event(event: CliEvent): void {
    this.#sink.write(`${JSON.stringify(event)}\n`);
  }

  text(): void {
    // For people only.
  }

  close(): void {
    // Every line is whole already.
  }
}
