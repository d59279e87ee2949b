import type { Bead } from '../../../domain/beads/bead.ts';
import type { ContextEntry } from '../../../domain/prompts/contextEntries.ts';
import type { Failure } from '../../../domain/beads/failure.ts';
import type { BeadReview } from '../../../domain/workflow/receipts.ts';
import type { TicketFact } from '../../../domain/facts/ticketFacts.ts';
import type { ErrorRecord } from '../../../domain/core/errors.ts';
import type { Domain } from '../../../domain/documents/documents.ts';
import type { IterationView, RunView, StageView } from '../../../protocol/history.ts';
import type { InspectedCall, InspectedPart } from '../../../protocol/inspection.ts';
import type { ListedFinding } from '../../review/findingState.ts';
import type { CommandName } from '../../commands/commands.ts';

/** The content of a row below a ticket. Data only: text and icons are added where it is shown. */
export type Fact =
  /** `isPause`: it isn't blocked, but pauses because a budget is used up. */
  | { readonly kind: 'error'; readonly error: ErrorRecord; readonly isPause?: boolean }
  | { readonly kind: 'line'; readonly line: TicketFact }
  | { readonly kind: 'beads'; readonly done: number; readonly total: number }
  | BeadFact
  | { readonly kind: 'evidence'; readonly bead: string; readonly artifact: string; readonly version: number }
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly passed: boolean;
      readonly exitCode: number | null;
      readonly durationMs: number;
    }
  | {
      readonly kind: 'verdict';
      readonly outcome: 'accepted' | 'rejected' | 'timed_out';
      readonly reason: string;
    }
  | {
      readonly kind: 'findings';
      readonly total: number;
      readonly fixed: number;
      readonly dismissed: number;
      readonly open: number;
    }
  | { readonly kind: 'finding'; readonly found: ListedFinding; readonly offers: readonly CommandName[] }
  | { readonly kind: 'failures'; readonly artifact: string; readonly version: number }
  | {
      readonly kind: 'failure';
      readonly bead: string;
      readonly iteration: number;
      readonly interrupted: boolean;
      /** Null if nothing says why. */
      readonly failure: Failure | null;
    }
  | { readonly kind: 'contexts'; readonly count: number }
  | { readonly kind: 'context'; readonly entry: ContextEntry }
  /** A person's note to the reviewer that no review has taken into account yet. */
  | { readonly kind: 'reviewNote'; readonly text: string }
  | { readonly kind: 'artifacts'; readonly count: number }
  | ArtifactFact
  | { readonly kind: 'councils' }
  | { readonly kind: 'council'; readonly domain: Domain; readonly drafts: boolean; readonly votes: boolean }
  | DraftFact
  | { readonly kind: 'vote'; readonly domain: Domain; readonly voter: string; readonly outcome: string }
  /** `news` differs once there may be other calls than before. */
  | { readonly kind: 'calls'; readonly news: number }
  | CallFact
  | { readonly kind: 'part'; readonly call: string; readonly prompt: string; readonly part: InspectedPart }
  | { readonly kind: 'runs'; readonly count: number }
  | { readonly kind: 'run'; readonly run: Omit<RunView, 'iterations'> }
  | { readonly kind: 'iteration'; readonly iteration: IterationView }
  | { readonly kind: 'stage'; readonly stage: StageView };

export interface BeadFact {
  readonly kind: 'bead';
  readonly bead: string;
  readonly title: string;
  readonly status: Bead['status'];
  readonly iteration: number;
  /** The stage its iteration is in; null while nothing works on it. */
  readonly stage: string | null;
  /** It is done, and no command shows it. */
  readonly unproved?: true;
  /** A person's verdict on its result; null until there is one. */
  readonly verdict: BeadReview['verdict'] | null;
  /** The commands that can be used on it now. */
  readonly offers: readonly CommandName[];
  /** Its place in the plan, from 1, of so many. */
  readonly position: number;
  readonly total: number;
  /** The beads it waits for. */
  readonly waitsFor: readonly string[];
}

/** A call of a model. */
export interface CallFact extends Pick<
  InspectedCall,
  'prompt' | 'member' | 'outcome' | 'label' | 'bead' | 'iteration' | 'startedAt'
> {
  readonly kind: 'call';
  readonly call: string;
  /** Of its prompt: what the provider counted, or what is estimated. */
  readonly tokens: number;
  readonly isEstimated: boolean;
}

export interface ArtifactFact {
  readonly kind: 'artifact' | 'version';
  readonly artifact: string;
  readonly version: number;
  readonly archived: boolean;
  readonly createdAt: number;
  /** Number of versions. */
  readonly versions: number;
}

export interface DraftFact {
  readonly kind: 'draft';
  readonly domain: Domain;
  readonly member: string;
  readonly outcome: string;
  /** Mean of what its voters gave it, 0 to 100; null before the vote. */
  readonly score: number | null;
  readonly isWinner: boolean;
}

/**
 * A fact with its children. `key` names it within its ticket, for as long as it is shown. `late`: its
 * children are read when it is unfolded.
 */
export interface FactTree {
  readonly key: string;
  readonly fact: Fact;
  readonly children: readonly FactTree[];
  readonly late?: true;
}
