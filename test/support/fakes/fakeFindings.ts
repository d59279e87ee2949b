import type { Dismissal } from '../../../src/domain/findings/dismissal.ts';
import type { ReviewerCount } from '../../../src/domain/findings/reviewerCounts.ts';
import { decidedFindings, type FindingDecision } from '../../../src/domain/findings/decision.ts';
import { Finding, Review } from '../../../src/domain/findings/finding.ts';
import type { FindingKeeper, FindingView, WaitingNote } from '../../../src/protocol/findings.ts';

export class FakeFindings implements FindingKeeper {
  found: readonly FindingView[] = [];
  counts: readonly ReviewerCount[] = [];
  stored: readonly Dismissal[] = [];

  notes: readonly WaitingNote[] = [];

  list: FindingKeeper['list'] = () => Promise.resolve(this.found);

  waitingNotes: FindingKeeper['waitingNotes'] = () => Promise.resolve(this.notes);

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

interface FindingChanges {
  readonly finding?: Partial<Finding>;
  readonly review?: Partial<Omit<Review, 'findings'>>;
  readonly decision?: Partial<FindingDecision>;
  readonly pending?: FindingView['pending'];
}

/** Of the bead `greet`: found in its first review, to be fixed, and undecided. */
export function findingView({
  finding = {},
  review = {},
  decision,
  pending = null,
}: FindingChanges = {}): FindingView {
  const { bead = 'greet', iteration = 1, round = 1 } = review;
  const found = Finding.parse({
    id: `${bead}.${String(iteration)}.${String(round)}.1`,
    severity: 'high',
    category: 'correctness',
    file: 'src/greet.ts',
    line: 2,
    claim: 'Nobody is greeted by name.',
    evidence: "return 'Hello';",
    suggestedFix: 'Use the name.',
    standing: 'fix',
    doubt: null,
    ...finding,
  });
  const candidate = 'c'.repeat(40);
  const reviewed = Review.parse({
    bead,
    iteration,
    round,
    reviewer: 'demo/reviewer',
    candidate,
    at: '2026-01-02T03:04:05.000Z',
    checked: ['Names.'],
    findings: [found],
    ...review,
  });
  const decided = decision && {
    finding: found.id,
    verdict: 'accept' as const,
    reason: '',
    by: 'user' as const,
    at: reviewed.at,
    became: null,
    ...decision,
  };
  const [one] = decidedFindings([reviewed], decided ? [decided] : []);
  if (!one) throw new Error('there is one');
  return { ...one, pending };
}
