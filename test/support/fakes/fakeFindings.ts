import type { Dismissal } from '../../../src/domain/findings/dismissal.ts';
import type { ReviewerCount } from '../../../src/domain/findings/reviewerCounts.ts';
import type { FindingKeeper, FindingView } from '../../../src/protocol/findings.ts';

/** Findings and dismissals in memory: a test sets what there is. */
export class FakeFindings implements FindingKeeper {
  found: readonly FindingView[] = [];
  counts: readonly ReviewerCount[] = [];
  stored: readonly Dismissal[] = [];

  list: FindingKeeper['list'] = () => Promise.resolve(this.found);

  reviewers: FindingKeeper['reviewers'] = () => Promise.resolve(this.counts);

  dismissals: FindingKeeper['dismissals'] = () => Promise.resolve(this.stored);

  changeDismissal: FindingKeeper['changeDismissal'] = ({ number, reason }) => {
    const changed = this.stored.find((one) => one.number === number);
    if (!changed) return Promise.reject(new Error(`There is no dismissal ${String(number)}`));
    const saved = { ...changed, reason, revision: changed.revision + 1 };
    this.stored = this.stored.map((one) => (one.number === number ? saved : one));
    return Promise.resolve(saved);
  };

  removeDismissal: FindingKeeper['removeDismissal'] = (number) => {
    this.stored = this.stored.filter((one) => one.number !== number);
    return Promise.resolve();
  };
}
