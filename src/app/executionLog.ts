import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TicketEvent } from '../domain/events.ts';

/** What a model writes or thinks isn't logged line by line; it is in the record of its call. */
const unlogged = ['text', 'reasoning'];
/** How much of a log is read back at most. */
const longestRead = 4_000_000;

/**
 * The execution log of each ticket: one event a line, in the state folder and, once there is one, in the worktree for people to read. It is for
 * looking at only; what counts is in the journal. A log that can't be written never disturbs the work.
 */
export class ExecutionLog {
  readonly #folder: string;
  readonly #append: (ticket: string, lines: string) => Promise<void>;
  #tail: Promise<void> = Promise.resolve();
  #waiting = new Map<string, string>();

  /** `append` adds lines to the log in a ticket's worktree, if it has one. */
  constructor(options: { readonly stateFolder: string; readonly append?: (ticket: string, lines: string) => Promise<void> }) {
    this.#folder = join(options.stateFolder, 'logs');
    this.#append = options.append ?? (() => Promise.resolve());
  }

  readonly add = (event: TicketEvent): void => {
    if (event.type === 'activity' && unlogged.includes(event.kind)) return;
    if (event.type === 'step' && event.state === 'replayed') return;
    const waiting = this.#waiting.get(event.ticket);
    this.#waiting.set(event.ticket, `${waiting ?? ''}${JSON.stringify(event)}\n`);
    if (waiting === undefined) this.#tail = this.#tail.then(() => this.#write(event.ticket));
  };

  /** Resolves when everything that was added is written. */
  async flush(): Promise<void> {
    await this.#tail;
  }

  async read(ticket: string): Promise<readonly TicketEvent[]> {
    const text = await readFile(this.#file(ticket), 'utf8').catch(() => '');
    return text
      .slice(-longestRead)
      .split('\n')
      .flatMap((line) => {
        const event = TicketEvent.safeParse(parsed(line));
        return event.success ? [event.data] : [];
      });
  }

  async #write(ticket: string): Promise<void> {
    const lines = this.#waiting.get(ticket) ?? '';
    this.#waiting.delete(ticket);
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await appendFile(this.#file(ticket), lines);
      await this.#append(ticket, lines);
    } catch {
      // Said above: looking at it later is all this is for.
    }
  }

  #file(ticket: string): string {
    return join(this.#folder, `${ticket}.jsonl`);
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
