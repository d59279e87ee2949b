import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withoutSecrets } from '../base/outputSecrets.ts';
import type { Clock } from '../engine/ports/ports.ts';
import { parsedEvent, type TicketEvent } from '../domain/core/events.ts';

/** The records of calls have them. */
const unlogged = ['text', 'reasoning'];
const gatherMs = 200;
/** In characters. */
const longestRead = 4_000_000;

/** A ticket's events, one a line, in the state folder and the worktree; for viewing only. */
export class ExecutionLog {
  readonly #folder: string;
  readonly #append: (ticket: string, lines: string) => Promise<void>;
  readonly #clock: Clock;
  readonly #waiting = new Map<string, string>();
  #writing: Promise<void> | undefined;
  #ended = new AbortController();

  constructor(options: {
    readonly stateFolder: string;
    readonly clock: Clock;
    readonly append?: (ticket: string, lines: string) => Promise<void>;
  }) {
    this.#folder = join(options.stateFolder, 'logs');
    this.#clock = options.clock;
    this.#append = options.append ?? (() => Promise.resolve());
  }

  readonly add = (event: TicketEvent): void => {
    if (event.type === 'activity' && unlogged.includes(event.kind)) return;
    if (event.type === 'step' && event.state === 'replayed') return;
    this.#waiting.set(
      event.ticket,
      `${this.#waiting.get(event.ticket) ?? ''}${withoutSecrets(JSON.stringify(event))}\n`,
    );
    this.#writing ??= this.#writeLater();
  };

  async flush(): Promise<void> {
    this.#ended.abort();
    this.#ended = new AbortController();
    await this.#writing;
  }

  async #writeLater(): Promise<void> {
    await this.#clock.sleep(gatherMs, this.#ended.signal);
    // One writer keeps the order.
    for (let [next] = this.#waiting.keys(); next !== undefined; [next] = this.#waiting.keys())
      await this.#write(next);
    this.#writing = undefined;
  }

  async #write(ticket: string): Promise<void> {
    const lines = this.#waiting.get(ticket) ?? '';
    this.#waiting.delete(ticket);
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await appendFile(fileOf(this.#folder, ticket), lines);
      await this.#append(ticket, lines);
    } catch {
      // The log is for viewing only.
    }
  }
}

/** Reads a log's end, oldest event first, without broken lines. */
export async function readExecutionLog(stateFolder: string, ticket: string): Promise<readonly TicketEvent[]> {
  const text = await readFile(fileOf(join(stateFolder, 'logs'), ticket), 'utf8').catch(() => '');
  return text
    .slice(-longestRead)
    .split('\n')
    .flatMap((line) => parsedEvent(line) ?? []);
}

function fileOf(folder: string, ticket: string): string {
  return join(folder, `${ticket}.jsonl`);
}
