import type { Bead } from '../../domain/beads/bead.ts';
import { isSameClaim } from '../../domain/findings/dismissal.ts';
import type { Client } from '../api.ts';
import type { FindingView } from '../findings.ts';
import type { FindingState } from './findingTexts.ts';

/** States in which nothing is left to do. */
export const settledStates: ReadonlySet<FindingState> = new Set([
  'fixed',
  'again',
  'earlier',
  'requested',
  'bead',
  'dismissed',
]);

/** States in which nothing can be decided any more. */
export const overStates: ReadonlySet<FindingState> = new Set(['fixed', 'again', 'earlier']);

/** A finding with its state. */
export interface ListedFinding extends FindingView {
  readonly state: FindingState;
}

/** True if a person may still decide. */
export function isUndecided({ decision, pending, state }: ListedFinding): boolean {
  return decision === null && pending === null && !overStates.has(state);
}

/** Findings with their states, oldest first. `beads` tell what came after a review. */
export function listedFindings(
  all: readonly FindingView[],
  beads: readonly Pick<Bead, 'id' | 'status' | 'iteration'>[],
): readonly ListedFinding[] {
  const rounds = new Map<string, number>();
  for (const { review } of all)
    rounds.set(placeOf(review), Math.max(review.round, rounds.get(placeOf(review)) ?? 0));
  return all.map((one) => {
    const bead = beads.find(({ id }) => id === one.review.bead);
    const isOver = bead?.status === 'done' || (rounds.get(placeOf(one.review)) ?? 0) > one.review.round;
    const isReset = bead !== undefined && bead.iteration > one.review.iteration;
    return { ...one, state: stateOf(one, all, { isOver, isReset }) };
  });
}

function stateOf(
  one: FindingView,
  all: readonly FindingView[],
  { isOver, isReset }: { readonly isOver: boolean; readonly isReset: boolean },
): FindingState {
  const { standing, decision, review, finding } = one;
  if (standing === 'dismissed' || standing === 'unfounded') return standing;
  if (decision?.verdict === 'bead') return decision.became === null ? 'bead' : 'requested';
  if (standing === 'noted') return isReset ? 'earlier' : 'noted';
  if (decision?.verdict === 'accept' && decision.became === 'change') return 'requested';
  if (isReset) return 'earlier';
  const isRaisedAgain = all.some(
    (other) =>
      placeOf(other.review) === placeOf(review) &&
      other.review.round > review.round &&
      isSameClaim(other.finding, finding),
  );
  if (isRaisedAgain) return 'again';
  return isOver && (decision === null || decision.became === 'fix') ? 'fixed' : 'open';
}

function placeOf({ bead, iteration }: FindingView['review']): string {
  return `${bead}.${String(iteration)}`;
}

/** Numbers of findings that count. */
export function findingCounts(
  findings: readonly ListedFinding[],
): Readonly<Record<'total' | 'fixed' | 'dismissed' | 'open', number>> {
  const counted = findings.filter(
    ({ state }) => state !== 'unfounded' && state !== 'again' && state !== 'earlier',
  );
  const count = (state: FindingState): number => counted.filter((one) => one.state === state).length;
  return { total: counted.length, fixed: count('fixed'), dismissed: count('dismissed'), open: count('open') };
}

/** A ticket's findings, oldest first. TICKET_UNKNOWN */
export async function readFindings(client: Client, ticket: string): Promise<readonly ListedFinding[]> {
  const [all, { beads }] = await Promise.all([client.findings.list(ticket), client.beads(ticket)]);
  return listedFindings(all, beads);
}
