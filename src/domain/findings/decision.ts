import * as z from 'zod';
import { canonicalJson } from '../../base/json.ts';
import { sha256 } from '../../base/sha256.ts';
import type { Finding, Review, Standing } from './finding.ts';

/**
 * A person's decision about a finding (docs/decisions/133-people-decide-about-findings.md). `accept`: it is
 * fixed, whatever its severity, and whether or not the engine believes it. `dismiss`: it is never fixed, and
 * later reviews of the repository are given that decision. `bead`: it becomes a bead of its own.
 */
export const FindingVerdict = z.enum(['accept', 'dismiss', 'bead']);
export type FindingVerdict = z.infer<typeof FindingVerdict>;

/** A decision as it is kept. `became`: the fix or the requested change that followed. `at`: ISO text. */
export const FindingDecision = z.object({
  finding: z.string(),
  verdict: FindingVerdict,
  reason: z.string(),
  by: z.literal('user'),
  at: z.string(),
  became: z.enum(['fix', 'change']).nullable().default(null),
});
export type FindingDecision = z.infer<typeof FindingDecision>;

/** A finding with its review and the last decision about it; `standing`: after that. */
export interface DecidedFinding {
  readonly finding: Finding;
  readonly review: Omit<Review, 'findings'>;
  readonly decision: FindingDecision | null;
  readonly standing: Standing;
  /** The `sha256` of a decision about it: it changes with the finding and each decision. */
  readonly sha256: string;
}

/** Every finding, oldest first. Of two with one id, after a new start, only the newer one is there. */
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

/** The last decision about each finding, by its id. */
export function lastDecisions(decisions: readonly FindingDecision[]): ReadonlyMap<string, FindingDecision> {
  return new Map(decisions.map((decision) => [decision.finding, decision]));
}

/** Findings as they stand after what people decided about them. */
export function afterDecisions(
  findings: readonly Finding[],
  decisions: readonly FindingDecision[],
): readonly Finding[] {
  const last = lastDecisions(decisions);
  return findings.map((finding) => ({
    ...finding,
    standing: standingAfter(finding, last.get(finding.id)?.verdict),
  }));
}

/** One that becomes a bead isn't fixed with the one that was reviewed. */
function standingAfter({ standing }: Finding, verdict: FindingVerdict | undefined): Standing {
  if (verdict === undefined) return standing;
  return verdict === 'accept' ? 'fix' : verdict === 'dismiss' ? 'dismissed' : 'noted';
}
