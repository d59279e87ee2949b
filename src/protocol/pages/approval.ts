import * as z from 'zod';
import { approvedKinds } from '../../domain/documents/workDocuments.ts';
import { Sha256 } from '../../domain/core/ids.ts';
import { DecidedCouncil } from '../council/councilReport.ts';

/** The documents a person approves, in the order in which a ticket gets them. */
export const ApprovalArtifact = z.enum(approvedKinds);
export type ApprovalArtifact = z.infer<typeof ApprovalArtifact>;

/** A document as the ticket's page shows it. */
export const ShownDocument = z.object({
  artifact: ApprovalArtifact,
  version: z.number().int(),
  /** An approval or an edit of this version carries it. */
  sha256: Sha256,
  /** As JSON, with every field it has. */
  value: z.unknown(),
  /** The reason why it can be shown only as text; otherwise empty. */
  problem: z.string(),
  /** `rewind`: saving archives what was built on it, and goes back in planning. */
  edit: z.enum(['no', 'save', 'rewind']),
  /** Texts with characters that are invisible or turn what is read. */
  hidden: z.object({ count: z.number().int(), texts: z.array(z.string()) }),
  gaps: z.array(z.string()),
  /** Sentences to be translated: `{0}` … are filled in from `args`. */
  notes: z.array(z.object({ text: z.string(), args: z.array(z.union([z.string(), z.number()])) })),
  council: DecidedCouncil.nullable(),
  /** Newest first. */
  earlier: z.array(z.object({ version: z.number().int(), sha256: Sha256, at: z.number() })),
  /** The interview as the winner completed it, which a PRD is made from; null elsewhere. */
  fullAnswers: z.unknown(),
});
export type ShownDocument = z.infer<typeof ShownDocument>;

/** The documents of a ticket's plan. `can`: which decisions the gate takes now. */
export const ApprovalState = z.object({
  held: z.boolean(),
  gate: ApprovalArtifact.nullable(),
  /** The documents that one decision is about; only `gate` where it is approved alone. */
  together: z.array(ApprovalArtifact),
  /** The hash that an approval of what is shown carries. */
  sha256: Sha256.nullable(),
  /** Decisions have to wait for a model. */
  working: z.boolean(),
  can: z.object({
    approve: z.boolean(),
    fixGaps: z.boolean(),
    checkAgain: z.boolean(),
    regenerate: z.boolean(),
    planInFull: z.boolean(),
  }),
  /** The effect of drafting the gate's document again, in the person's language. */
  regenerates: z.string(),
  documents: z.array(ShownDocument),
});
export type ApprovalState = z.infer<typeof ApprovalState>;
