import type { Bead } from '../../../domain/beads/bead.ts';
import type { BeadReview } from '../../../domain/workflow/receipts.ts';
import type { ErrorRecord } from '../../../domain/core/errors.ts';
import type { FailedCheck } from '../../../domain/forge/failedCheck.ts';
import type { RequestContent } from '../../../domain/ticket/agentRequest.ts';
import type { ProvedCommand } from '../../../domain/proof/commitEvidence.ts';
import type { DiffFile } from '../../../protocol/review.ts';
import type { ViewedCount } from '../../review/viewedFiles.ts';
import type { CommandName } from '../../commands/commands.ts';

/** The content of a row below a ticket. Texts and icons are added where it is shown. */
export type Fact =
  /** `isPause`: it pauses because a budget is used up. */
  | { readonly kind: 'error'; readonly error: ErrorRecord; readonly isPause?: boolean }
  | { readonly kind: 'request'; readonly content: RequestContent; readonly offers: readonly CommandName[] }
  /** On its forge. `look`: in a line. */
  | { readonly kind: 'pullRequest'; readonly look: string; readonly location: string }
  /** The issue that it was imported from, in a line. */
  | { readonly kind: 'issue'; readonly look: string; readonly location: string }
  /** On its forge. `base`: the branch that may have them as well. */
  | { readonly kind: 'failedChecks'; readonly checks: readonly FailedCheck[]; readonly base: string }
  | BeadFact
  | FileFact
  | { readonly kind: 'moreFiles'; readonly bead: string; readonly count: number }
  | { readonly kind: 'noFiles' }
  /** `news` differs once there may be other documents than before. */
  | { readonly kind: 'details'; readonly news: string }
  /** No review has taken it into account yet. */
  | { readonly kind: 'reviewNote'; readonly text: string }
  | ArtifactFact;

export interface BeadFact {
  readonly kind: 'bead';
  readonly bead: string;
  readonly title: string;
  readonly status: Bead['status'];
  readonly iteration: number;
  readonly stage: string | null;
  /** It is done, and no command shows it. */
  readonly unproved?: true;
  readonly verdict: BeadReview['verdict'] | null;
  /** Undefined if no file was viewed. */
  readonly viewed?: ViewedCount;
  /** The commands that can be used on it now. */
  readonly offers: readonly CommandName[];
  readonly position: number;
  readonly total: number;
  readonly waitsFor: readonly string[];
}

/** A file that a bead changed, or that its newest iteration would have changed. */
export interface FileFact extends DiffFile {
  readonly kind: 'file';
  readonly bead: string;
  /** The commands that ran on it. */
  readonly proof: readonly ProvedCommand[];
}

export interface ArtifactFact {
  readonly kind: 'artifact' | 'version';
  readonly artifact: string;
  readonly version: number;
  readonly archived: boolean;
  readonly createdAt: number;
  readonly versions: number;
}

/** `key` names it within its ticket. `late`: its children are read when it is unfolded. */
export interface FactTree {
  readonly key: string;
  readonly fact: Fact;
  readonly children: readonly FactTree[];
  readonly late?: true;
}

export function node(key: string, fact: Fact, children: readonly FactTree[] = []): FactTree {
  return { key, fact, children };
}

export function late(key: string, fact: Fact): FactTree {
  return { ...node(key, fact), late: true };
}
