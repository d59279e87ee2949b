import * as z from 'zod';
import { canonicalJson } from '../../base/json.ts';
import { sha256 } from '../../base/sha256.ts';
import type { Finding, Review, Standing } from './finding.ts';

/**
 * A person's decision about a finding (docs/decisions/133-people-decide-about-findings.md). `accept`: fixed
 * whatever its severity or doubt. `dismiss`: never fixed, and remembered. `bead`: becomes a bead.
 */
export const FindingVerdict = z.enum(['accept', 'dismiss', 'bead']);
export type FindingVerdict = z.infer<typeof FindingVerdict>;

/** A stored decision. `became`: the fix or requested change. `at`: ISO text. */
export const FindingDecision = z.object({
  finding: z.string(),
  verdict: FindingVerdict,
  reason: z.string(),
  by: z.literal('user'),
  at: z.string(),
  became: z.enum(['fix', 'change']).nullable().default(null),
});
export type FindingDecision = z.infer<typeof FindingDecision>;

/** A finding with its review and last decision; `standing`: after that. */
export interface DecidedFinding {
  readonly finding: Finding;
  readonly review: Omit<Review, 'findings'>;
  readonly decision: FindingDecision | null;
  readonly standing: Standing;
  /** It changes with the finding and each decision. */
  readonly sha256: string;
}

/** Every finding, oldest first; of equal ids, only the newest. */
export function decidedFindings(
  reviews: readonly Review[],
  decisions: readonly FindingDecision[],
): readonly DecidedFinding[] {
  const last = lastDecisions(decisions);
  const all = reviews.flatMap(({ findings, ...review }) =>
    findings.map((finding): [string, DecidedFinding] => {
      const decision = last.get(finding.id) ?? null;
      const hash = sha256(canonicalJson({ finding, decision: decision && { ...decision, became: null } }));
      const standing = standingAfter(finding, decision?.verdict);
      return [finding.id, { finding, review, decision, standing, sha256: hash }];
    }),
  );
  return [...new Map(all).values()];
}

/** The last decision by finding id. */
export function lastDecisions(decisions: readonly FindingDecision[]): ReadonlyMap<string, FindingDecision> {
  return new Map(decisions.map((decision) => [decision.finding, decision]));
}

function standingAfter({ standing }: Finding, verdict: FindingVerdict | undefined): Standing {
  if (verdict === undefined) return standing;
  return verdict === 'accept' ? 'fix' : verdict === 'dismiss' ? 'dismissed' : 'noted';
}
