import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

/** Where the recorded streams lie, one file each, with an event of OpenCode's `/global/event` a line. */
export const streamsFolder = fileURLToPath(new URL('../../../fixtures/streams/', import.meta.url));

/** As much of an event as is needed to tell whose it is. */
export const RecordedEvent = z.object({
  payload: z.object({
    type: z.string(),
    properties: z.object({ sessionID: z.string().optional() }).optional(),
  }),
});

/** Sessions, messages, parts, events and tool calls. */
const ids = /\b(?:ses|msg|prt|evt|call)_[0-9A-Za-z]+/g;

/**
 * A recorded stream as another session says it: again and again, each time with messages, parts and tool
 * calls of other ids.
 */
export class StreamPlayer {
  readonly #events: readonly string[];
  readonly #recorded: string;
  readonly #session: string;
  #next = 0;

  constructor(events: readonly string[], session: string) {
    this.#events = events;
    this.#session = session;
    this.#recorded = RecordedEvent.parse(JSON.parse(events[0] ?? '')).payload.properties?.sessionID ?? '';
  }

  /** The next event, as JSON. */
  next(): string {
    const round = Math.floor(this.#next / this.#events.length);
    const event = this.#events[this.#next % this.#events.length] ?? '';
    this.#next += 1;
    return event.replaceAll(ids, (id) => (id === this.#recorded ? this.#session : `${id}r${String(round)}`));
  }
}

/** All recorded streams, each a list of events as JSON. */
export function recordedStreams(): readonly (readonly string[])[] {
  const files = readdirSync(streamsFolder).sort();
  return files.map((file) => readFileSync(join(streamsFolder, file), 'utf8').trim().split('\n'));
}
