import type { NewStore } from './anyStore.ts';
import { changesContract } from './changes.ts';
import { coveredContract } from './covered.ts';
import { dismissalsContract } from './dismissals.ts';
import { earlierPlansContract } from './earlierPlans.ts';
import { journalContract } from './journal.ts';
import { movesContract } from './moves.ts';
import { projectionsContract } from './projections.ts';
import { reviewThreadsContract } from './reviewThreads.ts';
import { summariesContract } from './summaries.ts';

/**
 * States what the Store port promises, for each of its adapters. Call it inside `describe`. `runs`: generated
 * journals.
 */
export function storeContract(newStore: NewStore, { runs = 40 }: { readonly runs?: number } = {}): void {
  journalContract(newStore);
  changesContract(newStore);
  coveredContract(newStore);
  dismissalsContract(newStore);
  earlierPlansContract(newStore);
  movesContract(newStore);
  projectionsContract(newStore, runs);
  reviewThreadsContract(newStore);
  summariesContract(newStore);
}
