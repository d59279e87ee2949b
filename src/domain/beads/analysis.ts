import * as z from 'zod';
import { sha256 } from '../../base/sha256.ts';
import { BeadId } from '../core/ids.ts';
import { PartyNote } from '../personas/persona.ts';
import type { Settings } from '../settings/settings.ts';
import type { Bead } from './bead.ts';
import { dependentsOf } from './outcome.ts';
import { failureHash } from './progress.ts';

/** Recommendations of a failure analysis. */
export const recommendations = ['retry', 'skip', 'escalate', 'split', 'replan'] as const;
/** One of them. */
export type Recommendation = (typeof recommendations)[number];

const Said = z.string().trim().min(1).max(4_000);

/** A model's answer when it analyses a failed iteration (docs/decisions/138-failure-analysis.md). */
export const AnalysisAnswer = z.object({
  assessments: z.object({ architecture: Said, implementation: Said, requirements: Said, environment: Said }),
  rootCause: Said,
  plan: z.array(z.string().trim().min(1).max(1_000)).max(20).default([]),
  recommendation: z.enum(recommendations),
  rationale: Said,
  retryHint: z.string().trim().max(1_200).default(''),
  confidence: z.number().min(0).max(1),
});
export type AnalysisAnswer = z.infer<typeof AnalysisAnswer>;

/** Plan and hint are kept only where they are the analysis. */
const AnalysisVoice = AnalysisAnswer.omit({ plan: true, retryHint: true }).extend({ persona: z.string() });

/** `failure_analysis:{bead}`. `causeHash`: of the root cause. `analyst`: the models that answered. */
export const FailureAnalysis = AnalysisAnswer.extend({
  schema_version: z.literal(1),
  bead: BeadId,
  iteration: z.number().int().positive(),
  analyst: z.string(),
  causeHash: z.string(),
  party: PartyNote.extend({ voices: z.array(AnalysisVoice) }).optional(),
});
export type FailureAnalysis = z.infer<typeof FailureAnalysis>;

/** Of equal votes, the more careful one counts. */
const byCare: readonly Recommendation[] = ['escalate', 'replan', 'split', 'skip', 'retry'];

/** Merges analyses: the most recommended, in the words of the most confident (or first) of those. */
export function mergeAnalyses<T extends Pick<AnalysisAnswer, 'recommendation' | 'confidence'>>(
  said: readonly [T, ...T[]],
): T {
  const agreeing = byCare.map((one) => said.filter(({ recommendation }) => recommendation === one));
  const most = agreeing.reduce((best, group) => (group.length > best.length ? group : best));
  return most.reduce((best, one) => (one.confidence > best.confidence ? one : best), most[0] ?? said[0]);
}

/** The hash of a root cause, without case, punctuation, folders and numbers. */
export function causeHash(rootCause: string): string {
  const words = rootCause.toLowerCase().replace(/[`'"“”‘’.,;:!?()]/g, ' ');
  return sha256(failureHash(words.trim()));
}

/** The consequence for the bead. `usual`: as without an analysis. `why`: the obstacle to following it. */
export type Consequence =
  | { readonly kind: 'usual' }
  | { readonly kind: 'skip' }
  | { readonly kind: 'ask'; readonly choice: Recommendation; readonly why: string };

/**
 * The consequence of an analysis (docs/decisions/138-failure-analysis.md). Splitting and replanning change
 * the plan, so a person always decides on them. `earlier`: hashes of causes that were retried.
 */
export function consequenceOf(
  policy: Settings['failureAnalysis'],
  { recommendation, causeHash: cause }: Pick<FailureAnalysis, 'recommendation' | 'causeHash'>,
  {
    bead,
    beads,
    earlier,
  }: { readonly bead: string; readonly beads: readonly Bead[]; readonly earlier: readonly string[] },
): Consequence {
  if (policy === 'off' || policy === 'inform') return { kind: 'usual' };
  const ask = (choice: Recommendation, why = ''): Consequence => ({ kind: 'ask', choice, why });
  switch (recommendation) {
    case 'retry':
      return policy === 'auto' && earlier.includes(cause)
        ? ask('escalate', 'A retry for the same root cause failed before.')
        : { kind: 'usual' };
    case 'skip': {
      if (policy === 'suggest') return ask('skip');
      const refusal = skipRefusal(beads, bead);
      return refusal === '' ? { kind: 'skip' } : ask('escalate', refusal);
    }
    default:
      return ask(recommendation);
  }
}

/** The reason why a bead can't be left out; empty if it can. */
export function skipRefusal(beads: readonly Bead[], id: string): string {
  const needing = dependentsOf(beads, id).map((bead) => bead.id);
  if (needing.length > 0) return `These beads depend on it: ${needing.join(', ')}.`;
  return beads.some((bead) => bead.id !== id && bead.status !== 'skipped')
    ? ''
    : 'It is the only bead that is left.';
}
