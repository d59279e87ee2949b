import * as z from 'zod';
import { CouncilDraft, CouncilVote, CouncilWinner, FewerThanWanted } from '../../domain/council/council.ts';
import { CouncilLedger } from '../../domain/council/ledger.ts';
import { Opinion } from '../../domain/council/opinions.ts';
import { councilKinds } from '../../domain/documents/workDocuments.ts';
import { ChangeRecord } from '../../domain/requirements/interview.ts';

/**
 * A council of a ticket. Scores are 0 to 100, and their reasons name members. `winner`: null without a
 * result. `checks`: found without a model, by member. `ledger`: null before the winner refined its draft.
 */
export const CouncilReport = CouncilWinner.pick({ totals: true, tie: true }).extend({
  domain: z.enum(councilKinds),
  winner: z.string().nullable(),
  drafts: z.array(CouncilDraft.pick({ member: true, outcome: true, error: true })),
  votes: z.array(
    CouncilVote.pick({ voter: true, outcome: true, error: true }).extend({
      scores: z.record(z.string(), z.object({ sum: z.number(), reason: z.string() })),
    }),
  ),
  opinions: z.array(Opinion),
  checks: z.record(z.string(), z.array(z.string())),
  fewer: FewerThanWanted.nullable(),
  ledger: CouncilLedger.nullable(),
});
export type CouncilReport = z.infer<typeof CouncilReport>;

/** A change of the winner's, each text on one line. `inspiredBy`: null for an own idea. */
const Attribution = ChangeRecord.pick({ type: true }).extend({
  before: z.string(),
  after: z.string(),
  inspiredBy: z.string().nullable(),
});
export type Attribution = z.infer<typeof Attribution>;

/** The council that decided a document. */
export const DecidedCouncil = CouncilReport.extend({ winner: z.string(), changes: z.array(Attribution) });
export type DecidedCouncil = z.infer<typeof DecidedCouncil>;
