import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TicketId } from '../domain/core/ids.ts';
import { parsedEvent, type TicketEvent } from '../domain/core/events.ts';
import type { SharedLog } from '../engine/ports/storePort.ts';

/** Milliseconds between checks of logs that are being read, and how long a log counts as read. */
const lookMs = 1_000;
const readMs = 60_000;

interface Copied {
  number: number;
  /** Everything that was there at first has been read. */
  isKnown: boolean;
  readUntil: number;
  copying: Promise<void> | undefined;
}

export interface TeamLogOptions {
  readonly log: Pick<SharedLog, 'after'>;
  readonly onEvent: (event: TicketEvent) => void;
  /** Default: every second. */
  readonly lookMs?: number;
}

/**
 * Copies of a team's logs, from which this machine reads pages as of its own tickets. What is new in a log
 * that is being read is told as events, as if the work were done here.
 */
export class TeamLog {
  /** Has the folder `logs`, as a state folder does. Removed at the end. */
  readonly folder: string;
  readonly #options: TeamLogOptions;
  readonly #copied = new Map<string, Copied>();
  #timer: NodeJS.Timeout | undefined;

  private constructor(folder: string, options: TeamLogOptions) {
    this.folder = folder;
    this.#options = options;
  }

  static async open(options: TeamLogOptions): Promise<TeamLog> {
    return new TeamLog(await mkdtemp(join(tmpdir(), 'beadsmith-team-')), options);
  }

  /** Copies what a log has got since. A log that can't be read is shown as far as it is known. */
  async refresh(ticket: string): Promise<void> {
    // A team's people may write ids, and this one becomes a path.
    if (!TicketId.safeParse(ticket).success) return;
    const copied = this.#copied.get(ticket) ?? {
      number: 0,
      isKnown: false,
      readUntil: 0,
      copying: undefined,
    };
    this.#copied.set(ticket, copied);
    copied.readUntil = performance.now() + readMs;
    this.#timer ??= setInterval(() => this.#look(), this.#options.lookMs ?? lookMs).unref();
    await this.#copy(ticket, copied);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    for (const { copying } of this.#copied.values()) await copying;
    await rm(this.folder, { recursive: true, force: true });
  }

  #look(): void {
    for (const [ticket, copied] of this.#copied)
      if (copied.readUntil > performance.now()) void this.#copy(ticket, copied);
  }

  #copy(ticket: string, copied: Copied): Promise<void> {
    copied.copying ??= this.#copyNew(ticket, copied)
      .catch(() => undefined)
      .finally(() => (copied.copying = undefined));
    return copied.copying;
  }

  async #copyNew(ticket: string, copied: Copied): Promise<void> {
    const isFirst = !copied.isKnown;
    for (;;) {
      const pieces = await this.#options.log.after(ticket, copied.number);
      const last = pieces.at(-1);
      if (!last) {
        copied.isKnown = true;
        return;
      }
      await mkdir(join(this.folder, 'logs'), { recursive: true });
      const text = pieces.map(({ lines }) => lines).join('');
      await appendFile(join(this.folder, 'logs', `${ticket}.jsonl`), text);
      copied.number = last.number;
      if (isFirst) continue;
      for (const line of text.split('\n')) {
        const event = parsedEvent(line);
        if (event?.ticket === ticket) this.#options.onEvent(event);
      }
    }
  }
}
