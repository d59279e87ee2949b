import {
  type DraftPlace,
  type Drafts,
  type DraftStore,
  withChanges,
} from '../../../src/views/pages/pageDrafts.ts';

/** As all windows see them. */
export class FakeDrafts implements DraftStore {
  readonly changes: Drafts[] = [];
  drafts: Drafts = {};
  problem: Error | undefined;

  read(_place: DraftPlace): Promise<Drafts> {
    return Promise.resolve(this.drafts);
  }

  change(_place: DraftPlace, changes: Drafts): Promise<void> {
    if (this.problem) return Promise.reject(this.problem);
    this.changes.push(changes);
    this.drafts = withChanges(this.drafts, changes);
    return Promise.resolve();
  }
}
