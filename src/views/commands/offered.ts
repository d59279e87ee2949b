import type { TicketView } from '../../protocol/api.ts';
import { isTerminal, rowOf } from '../../domain/workflow/workflow.ts';
import type { ActionName, Band } from '../../domain/workflow/rows.ts';
import { type CommandName, commandNames, commandRow } from './commands.ts';

/** What the offer depends on, besides what only a closer look tells. */
export type Offer = Pick<TicketView, 'status' | 'hold' | 'beadsDone'>;

/** In these a ticket's beads are coded, or were. */
const codedBands: readonly Band[] = ['implementation', 'post_implementation', 'errors'];

/** Whether a command makes sense for a ticket, as far as its status and hold tell. `continue` also needs an error that allows it. */
export function isOffered(name: CommandName, ticket: Offer): boolean {
  const { target, action, needs } = commandRow(name);
  if (target !== 'ticket') return false;
  // A worktree is made when a ticket starts, and removed when it ends.
  if (needs === 'worktree') return ticket.status !== 'DRAFT' && !isTerminal(ticket.status);
  if (needs === 'changes') return ticket.beadsDone > 0 || codedBands.includes(rowOf(ticket.status).band);
  if (action === undefined) return true;
  // What a blocked ticket takes after its retry is offered where its bead or diff is shown.
  if (ticket.status === 'BLOCKED_ERROR' && afterRetry.includes(action)) return false;
  // Whether a block came from the setup is known only to who looks closer.
  if (action === 'rewind_setup' && ticket.status === 'BLOCKED_ERROR') return false;
  if (action === 'pause') return ticket.hold === null && action in rowOf(ticket.status).actions;
  // An agent's question or request for permission is answered, not resumed; one command is for both.
  if (action === 'question_reply') return asks(ticket);
  if (action === 'resume') return ticket.hold !== null && !asks(ticket);
  return action in rowOf(ticket.status).actions;
}

const afterRetry: readonly ActionName[] = ['changes', 'accept_bead', 'suggest_edit'];

function asks({ hold }: Offer): boolean {
  return hold === 'question' || hold === 'permission';
}

/** The commands that change a ticket and make sense now, in the order of the table. */
export function offeredCommands(ticket: Offer): readonly CommandName[] {
  return commandNames.filter((name) => commandRow(name).action !== undefined && isOffered(name, ticket));
}

/** The commands whose place in a menu depends on the ticket. */
export function menuCommands(ticket: Offer): readonly CommandName[] {
  return commandNames.filter((name) => (commandRow(name).action ?? commandRow(name).needs) !== undefined && isOffered(name, ticket));
}

/** What a person most likely wants of a ticket that waits for them. Where the choice is theirs, all of it is shown. */
export function likelyCommand(ticket: Offer): CommandName {
  if (asks(ticket)) return 'replyToAgent';
  if (ticket.hold !== null) return 'whatNext';
  const likely: readonly CommandName[] = ['start', 'answer', 'approve', 'qa'];
  return likely.find((name) => isOffered(name, ticket)) ?? 'whatNext';
}
