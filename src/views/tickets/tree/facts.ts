import type { Bead } from '../../../domain/beads/bead.ts';
import type { ContextEntry } from '../../../domain/prompts/contextEntries.ts';
import type { Failure } from '../../../domain/beads/failure.ts';
import type { BeadExecution } from '../../../domain/beads/reports.ts';
import type { Evidence } from '../../../domain/core/evidence.ts';
import type { BeadReview } from '../../../domain/workflow/receipts.ts';
import type { TicketFact } from '../../../domain/facts/ticketFacts.ts';
import type { ErrorRecord } from '../../../domain/core/errors.ts';
import type { Domain } from '../../../domain/documents/documents.ts';
import type { IterationView, RunView, StageView } from '../../../protocol/history.ts';
import type { InspectedCall, InspectedPart } from '../../../protocol/inspection.ts';
import type { findingCounts, ListedFinding } from '../../review/findingState.ts';
import type { CommandName } from '../../commands/commands.ts';

/** The content of a row below a ticket. Texts and icons are added where it is shown. */
export type Fact =
  /** `isPause`: it pauses because a budget is used up. */
  | { readonly kind: 'error'; readonly error: ErrorRecord; readonly isPause?: boolean }
  | { readonly kind: 'line'; readonly line: TicketFact }
  | { readonly kind: 'beads'; readonly done: number; readonly total: number }
  | BeadFact
  | { readonly kind: 'evidence'; readonly bead: string; readonly artifact: string; readonly version: number }
  | CommandFact
  | ({ readonly kind: 'verdict' } & Pick<BeadExecution, 'outcome' | 'reason'>)
  | ({ readonly kind: 'findings' } & ReturnType<typeof findingCounts>)
  | { readonly kind: 'finding'; readonly found: ListedFinding; readonly offers: readonly CommandName[] }
  | { readonly kind: 'failures'; readonly artifact: string; readonly version: number }
  | FailureFact
  | { readonly kind: 'contexts'; readonly count: number }
  | { readonly kind: 'context'; readonly entry: ContextEntry }
  /** No review has taken it into account yet. */
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

interface CommandFact extends Pick<Evidence, 'command' | 'exitCode' | 'durationMs'> {
  readonly kind: 'command';
  readonly passed: boolean;
}

interface FailureFact {
  readonly kind: 'failure';
  readonly bead: string;
  readonly iteration: number;
  readonly interrupted: boolean;
  readonly failure: Failure | null;
}

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
  /** The commands that can be used on it now. */
  readonly offers: readonly CommandName[];
  readonly position: number;
  readonly total: number;
  readonly waitsFor: readonly string[];
}

export interface CallFact extends Pick<
  InspectedCall,
  'prompt' | 'member' | 'outcome' | 'label' | 'bead' | 'iteration' | 'startedAt'
> {
  readonly kind: 'call';
  readonly call: string;
  /** Of its prompt: counted by the provider, or estimated. */
  readonly tokens: number;
  readonly isEstimated: boolean;
}

export interface ArtifactFact {
  readonly kind: 'artifact' | 'version';
  readonly artifact: string;
  readonly version: number;
  readonly archived: boolean;
  readonly createdAt: number;
  readonly versions: number;
}

export interface DraftFact {
  readonly kind: 'draft';
  readonly domain: Domain;
  readonly member: string;
  readonly outcome: string;
  /** Mean of the votes, 0 to 100; null before the vote. */
  readonly score: number | null;
  readonly isWinner: boolean;
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
