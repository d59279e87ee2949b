import type { PagePlace } from '../../protocol/pages/frame.ts';
import type { PageName } from '../../protocol/pages/pageNames.ts';

/** What a person typed into a page and hasn't sent, by the page's own keys. */
export type Drafts = Readonly<Record<string, unknown>>;

/** Which page of which ticket drafts belong to. */
export interface DraftPlace extends PagePlace {
  readonly page: PageName;
}

/** Where drafts outlive the tab and the window they were typed in. All windows of this user share it. */
export interface DraftStore {
  read(place: DraftPlace): Promise<Drafts>;
  /** Stores these keys and removes those that are null; other keys stay as they are. */
  change(place: DraftPlace, changes: Drafts): Promise<void>;
}

/** The drafts after a change. */
export function withChanges(drafts: Drafts, changes: Drafts): Drafts {
  return Object.fromEntries(Object.entries({ ...drafts, ...changes }).filter(([, value]) => value !== null && value !== undefined));
}
