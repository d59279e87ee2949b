import type { Limits } from '../../domain/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Question } from '../askTypes.ts';

/** What a question needs to know of the run it belongs to. */
export interface AskScope {
  readonly runId: string;
  readonly limits: Limits;
  readonly ticket: TicketSnapshot;
}

/** A question without what depends on the type of its answer. */
export type QuestionFrame = Omit<Question<unknown>, 'parse' | 'result' | 'accept'>;
