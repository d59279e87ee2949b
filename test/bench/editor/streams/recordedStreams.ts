import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

/** One file each, with an event of OpenCode's `/global/event` a line. */
export const streamsFolder = fileURLToPath(new URL('../../../fixtures/streams/', import.meta.url));

export const RecordedEvent = z.object({
  payload: z.object({
    type: z.string(),
    properties: z.object({ sessionID: z.string().optional() }).optional(),
  }),
});

/** Of sessions, messages, parts, events and tool calls. */
const ids = /\b(?:ses|msg|prt|evt|call)_[0-9A-Za-z]+/g;

/** Plays a recorded stream again and again, each time with other ids. */
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

  /** As JSON. */
  next(): string {
    const round = Math.floor(this.#next / this.#events.length);
    const event = this.#events[this.#next % this.#events.length] ?? '';
    this.#next += 1;
    return event.replaceAll(ids, (id) => (id === this.#recorded ? this.#session : `${id}r${String(round)}`));
  }
}

/** Each a list of events as JSON. */
export function recordedStreams(): readonly (readonly string[])[] {
  const files = readdirSync(streamsFolder).sort();
  return files.map((file) => readFileSync(join(streamsFolder, file), 'utf8').trim().split('\n'));
}
