import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withoutSecrets } from '../base/outputSecrets.ts';
import type { Clock } from '../engine/ports/ports.ts';
import { isSpeech, parsedEvent, type TicketEvent } from '../domain/core/events.ts';

const gatherMs = 200;
/** In characters. */
const longestRead = 4_000_000;
/** Of a text of a model in one line, and of all that is kept of it. */
const longestPiece = 4_000;
const longestText = 64_000;

type Activity = Extract<TicketEvent, { type: 'activity' }>;

/**
 * A ticket's events, one a line, in the state folder; for viewing only. The worktree gets them without what
 * models say and what their tools return, which agents that judge the work aren't to read.
 */
export class ExecutionLog {
  readonly #folder: string;
  readonly #append: (ticket: string, lines: string) => Promise<void>;
  readonly #share: (ticket: string, lines: string) => Promise<void>;
  readonly #clock: Clock;
  readonly #waiting = new Map<string, TicketEvent[]>();
  #writing: Promise<void> | undefined;
  #ended = new AbortController();

  constructor(options: {
    readonly stateFolder: string;
    readonly clock: Clock;
    readonly append?: (ticket: string, lines: string) => Promise<void>;
    /** Takes all lines, for people on other machines. */
    readonly share?: ((ticket: string, lines: string) => Promise<void>) | undefined;
  }) {
    this.#folder = join(options.stateFolder, 'logs');
    this.#clock = options.clock;
    this.#append = options.append ?? (() => Promise.resolve());
    this.#share = options.share ?? (() => Promise.resolve());
  }

  readonly add = (event: TicketEvent): void => {
    if (event.type === 'step' && event.state === 'replayed') return;
    const waiting = this.#waiting.get(event.ticket) ?? [];
    this.#waiting.set(event.ticket, waiting);
    const last = waiting.at(-1);
    const joined = last && joinedSpeech(last, event);
    if (joined) waiting[waiting.length - 1] = joined;
    else waiting.push(event);
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
    const events = this.#waiting.get(ticket) ?? [];
    this.#waiting.delete(ticket);
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const kept = events.filter((event) => !isSpeech(event) || !isTooLong(event));
      const lines = linesOf(kept);
      await appendFile(fileOf(this.#folder, ticket), lines);
      if (lines !== '') await this.#share(ticket, lines);
      const shown = events.filter((event) => !isSpeech(event)).map(withoutCall);
      if (shown.length > 0) await this.#append(ticket, linesOf(shown));
    } catch {
      // The log is for viewing only.
    }
  }
}

function linesOf(events: readonly TicketEvent[]): string {
  return events.map((event) => `${withoutSecrets(JSON.stringify(event))}\n`).join('');
}

/** Pieces of one text that follow each other. */
function joinedSpeech(last: TicketEvent, event: TicketEvent): Activity | undefined {
  if (last.type !== 'activity' || event.type !== 'activity' || !isSpeech(event)) return undefined;
  const { part, offset, text } = last;
  if (part === undefined || part !== event.part || offset === undefined) return undefined;
  const isNext = offset + text.length === event.offset && text.length + event.text.length <= longestPiece;
  return isNext ? { ...last, text: text + event.text } : undefined;
}

function isTooLong(event: TicketEvent): boolean {
  return event.type === 'activity' && (event.offset ?? 0) >= longestText;
}

function withoutCall(event: TicketEvent): TicketEvent {
  if (event.type !== 'activity' || event.call === undefined) return event;
  const { call: _, ...rest } = event;
  return rest;
}

/** Reads a log's end, oldest event first, without broken lines and what models say. */
export async function readExecutionLog(stateFolder: string, ticket: string): Promise<readonly TicketEvent[]> {
  const text = await readFile(fileOf(join(stateFolder, 'logs'), ticket), 'utf8').catch(() => '');
  return text
    .slice(-longestRead)
    .split('\n')
    .flatMap((line) => parsedEvent(line) ?? [])
    .filter((event) => !isSpeech(event));
}

function fileOf(folder: string, ticket: string): string {
  return join(folder, `${ticket}.jsonl`);
}
