import * as z from 'zod';
import { PagePlace } from '../../protocol/pages/frame.ts';
import { type PageName, pageNames } from '../../protocol/pages/pageNames.ts';
import type { Memory } from '../shared/memory.ts';

const memoryKey = 'pages.open';
/** More pages than a person has open; the oldest are forgotten. */
const most = 50;

const OpenPage = PagePlace.extend({ name: z.enum(pageNames) });
type OpenPage = z.infer<typeof OpenPage>;

/**
 * The pages that are open, kept for the workspace. A page keeps its place itself as soon as its script runs;
 * one that comes back although it never got so far is found here.
 */
export class OpenPages {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  async add(name: PageName, { root, ticket }: PagePlace): Promise<void> {
    await this.#keep([...this.#others(name, { root, ticket }), { name, root, ticket }].slice(-most));
  }

  async remove(name: PageName, place: PagePlace): Promise<void> {
    await this.#keep(this.#others(name, place));
  }

  /** The newest page of this kind that fits. */
  find(name: PageName, fits: (place: PagePlace) => boolean): PagePlace | undefined {
    const found = this.#all().findLast((page) => page.name === name && fits(page));
    return found && { root: found.root, ticket: found.ticket };
  }

  #others(name: PageName, { root, ticket }: PagePlace): readonly OpenPage[] {
    return this.#all().filter((page) => page.name !== name || page.root !== root || page.ticket !== ticket);
  }

  /** Another version may have kept something else. */
  #all(): readonly OpenPage[] {
    return z.array(OpenPage).catch([]).parse(this.#memory.get(memoryKey));
  }

  async #keep(pages: readonly OpenPage[]): Promise<void> {
    await this.#memory.set(memoryKey, pages);
  }
}
