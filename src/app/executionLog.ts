import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withoutSecrets } from '../base/outputSecrets.ts';
import type { Clock } from '../engine/ports/ports.ts';
import { parsedEvent, type TicketEvent } from '../domain/core/events.ts';

/** Kinds of activity that aren't logged: what a model writes or thinks is in the record of its call. */
const unlogged = ['text', 'reasoning'];
/** Events come in bursts: so long they are gathered before they are written. */
const gatherMs = 200;
/** Length of the log's end that is read back, in characters. */
const longestRead = 4_000_000;

/**
 * The execution log of each ticket, one event a line, for looking at only: what counts is in the journal. It
 * is in the state folder and in the worktree, and one that can't be written disturbs nothing.
 */
export class ExecutionLog {
  readonly #folder: string;
  readonly #append: (ticket: string, lines: string) => Promise<void>;
  readonly #clock: Clock;
  readonly #waiting = new Map<string, string>();
  #writing: Promise<void> | undefined;
  #ended = new AbortController();

  /** `append` adds lines to the log in a ticket's worktree, if it has one. */
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

  /** Resolves when everything that was added is written. */
  async flush(): Promise<void> {
    this.#ended.abort();
    this.#ended = new AbortController();
    await this.#writing;
  }

  async #writeLater(): Promise<void> {
    await this.#clock.sleep(gatherMs, this.#ended.signal);
    // One writer at a time keeps the order; what comes meanwhile is written by it, too.
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
      // Said above: looking at it later is all this is for.
    }
  }
}

/** Reads what was logged of a ticket, oldest first; of a long log its end. Passes over broken lines. */
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
