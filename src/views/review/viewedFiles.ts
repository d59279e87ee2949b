import * as z from 'zod';
import { Emitter } from '../../base/emitter.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Client } from '../../protocol/api.ts';
import type { DiffFile } from '../../protocol/review.ts';
import type { Memory } from '../shared/memory.ts';

const key = 'review.viewed';
/** Tickets that were reviewed longest ago are forgotten first. */
const mostTickets = 200;

/** By ticket, newest last: beads, contents and paths. */
const Stored = z.record(z.string(), z.array(z.string()));

interface Place {
  readonly root: string;
  readonly ticket: string;
}

export type ViewableFile = Pick<DiffFile, 'path' | 'blob'>;

/** One ticket's viewed files. `hasAny`: any version of any file of the bead. */
export interface TicketViewed {
  has(bead: string, file: ViewableFile): boolean;
  hasAny(bead: string): boolean;
}

/** The files that a person has viewed, for the workspace. One that a bead changes again is unviewed again. */
export class ViewedFiles implements Disposable {
  readonly #memory: Memory;
  readonly #changed = new Emitter<Place>();
  #stored: z.infer<typeof Stored>;

  readonly onDidChange = this.#changed.on;

  constructor(memory: Memory) {
    this.#memory = memory;
    // Another version may have kept something else.
    this.#stored = Stored.catch({}).parse(memory.get(key) ?? {});
  }

  of(place: Place): TicketViewed {
    const names = this.#stored[placeKey(place)] ?? [];
    return {
      has: (bead, file) => names.includes(nameOf(bead, file)),
      hasAny: (bead) => names.some((name) => name.startsWith(`${bead} `)),
    };
  }

  async mark(place: Place, bead: string, file: ViewableFile, isViewed: boolean): Promise<void> {
    const name = nameOf(bead, file);
    const { [placeKey(place)]: names = [], ...tickets } = this.#stored;
    const own = [...names.filter((one) => one !== name), ...(isViewed ? [name] : [])];
    const all = [...Object.entries(tickets), [placeKey(place), own] as const];
    this.#stored = Object.fromEntries(all.slice(-mostTickets));
    this.#changed.emit(place);
    await this.#memory.set(key, this.#stored);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

export interface ViewedCount {
  readonly viewed: number;
  readonly total: number;
}

export async function countViewed(
  client: Pick<Client, 'diffs'>,
  ticket: string,
  bead: string,
  viewed: TicketViewed,
): Promise<ViewedCount> {
  const { files = [] } = (await client.diffs.diff(ticket, { kind: 'bead', bead })) ?? {};
  return { viewed: files.filter((file) => viewed.has(bead, file)).length, total: files.length };
}

function placeKey({ root, ticket }: Place): string {
  return `${root}#${ticket}`;
}

function nameOf(bead: string, { path, blob = '' }: ViewableFile): string {
  return `${bead} ${blob} ${path}`;
}
