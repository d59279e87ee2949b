import * as z from 'zod';
import { plannedDepths } from '../../../domain/settings/settings.ts';
import type { DraftStore } from '../../pages/pageDrafts.ts';
import type { DraftPlace } from './draftDocument.ts';

/** `at`: when the text was saved, in milliseconds since 1970. */
const Kept = z.object({
  text: z.string().optional().catch(undefined),
  at: z.number().optional().catch(undefined),
  depth: z.enum(plannedDepths).optional().catch(undefined),
  baseBranch: z.string().optional().catch(undefined),
  mainImplementer: z.string().optional().catch(undefined),
  councilMembers: z.array(z.string()).optional().catch(undefined),
});
export type KeptDraft = z.infer<typeof Kept>;
export type DraftChoices = Omit<KeptDraft, 'text' | 'at'>;

const nothing = Object.fromEntries(Object.keys(Kept.shape).map((key) => [key, null]));

/** Saved texts of tickets that aren't there yet, and choices for a start. Never in the repository. */
export class KeptDrafts {
  readonly #store: DraftStore;

  constructor(store: DraftStore) {
    this.#store = store;
  }

  async read(root: string, of: DraftPlace['of']): Promise<KeptDraft> {
    return Kept.parse(await this.#store.read(placeOf(root, of)));
  }

  async keep(root: string, of: DraftPlace['of'], changes: KeptDraft): Promise<void> {
    await this.#store.change(placeOf(root, of), changes);
  }

  async forget(root: string, of: DraftPlace['of']): Promise<void> {
    await this.#store.change(placeOf(root, of), nothing);
  }
}

function placeOf(root: string, of: DraftPlace['of']): Parameters<DraftStore['read']>[0] {
  return { page: 'draft', root, ticket: 'ticket' in of ? of.ticket : String(of.number) };
}
