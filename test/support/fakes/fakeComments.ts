import type { ReviewThread } from '../../../src/domain/findings/reviewThread.ts';
import type { CommentKeeper } from '../../../src/protocol/review.ts';

/** Threads in memory, without a check of who wrote last. */
export class FakeComments implements CommentKeeper {
  stored: readonly ReviewThread[] = [];

  threads: CommentKeeper['threads'] = (ticket) =>
    Promise.resolve(this.stored.filter((thread) => thread.ticket === ticket));

  save: CommentKeeper['save'] = (thread) => {
    const saved = { ...thread, revision: thread.revision + 1 };
    const known = this.stored.some(({ id }) => id === thread.id);
    this.stored = known
      ? this.stored.map((one) => (one.id === thread.id ? saved : one))
      : [...this.stored, saved];
    return Promise.resolve(saved);
  };

  remove: CommentKeeper['remove'] = (_ticket, id) => {
    this.stored = this.stored.filter((thread) => thread.id !== id);
    return Promise.resolve();
  };
}
