import type { TicketView } from '../../protocol/api.ts';
import { roleOf } from '../../domain/workflow/roles.ts';
import { isTerminal, rowOf } from '../../domain/workflow/workflow.ts';
import type { Band } from '../../domain/workflow/rows.ts';
import { type CommandName, commandNames, commandRow, formCommands } from './commands.ts';

export type Offer = Pick<TicketView, 'status' | 'hold' | 'actions' | 'beadsDone'>;

/** In these a ticket's beads are coded, or were. */
const codedBands: readonly Band[] = ['implementation', 'post_implementation', 'errors'];

export function isOffered(name: CommandName, ticket: Offer): boolean {
  const { target, action, needs, isAgain } = commandRow(name);
  if (target !== 'ticket') return false;
  if (isAgain !== undefined && isAgain !== isPublished(ticket)) return false;
  // A worktree is made when a ticket starts, and removed when it ends.
  if (needs === 'worktree') return roleOf(ticket.status) !== 'draft' && !isTerminal(ticket.status);
  if (needs === 'changes') return ticket.beadsDone > 0 || codedBands.includes(rowOf(ticket.status).band);
  // One command answers both of an agent's requests.
  if (action === 'question_reply' && ticket.actions.includes('permission_reply')) return true;
  return action === undefined || ticket.actions.includes(action);
}

/** True once its pull request is on a forge. */
export function isPublished({ actions }: Pick<Offer, 'actions'>): boolean {
  return actions.includes('check_pull_request');
}

/** True from its first bead to its end: its worktree is there, with changes to see and commands to run. */
export function codesInWorktree(ticket: Offer): boolean {
  return isOffered('openWorktree', ticket) && isOffered('showDiff', ticket);
}

function asks({ actions }: Offer): boolean {
  return actions.includes('question_reply') || actions.includes('permission_reply');
}

/**
 * Commands that change a ticket as a whole: those that end it last. `isReviewed`: each of its beads has a
 * verdict, so that its changes no longer come before its end.
 */
export function offeredCommands(ticket: Offer, isReviewed = false): readonly CommandName[] {
  const offered = commandNames.filter(
    (name) => commandRow(name).action !== undefined && !commandRow(name).ofLine && isOffered(name, ticket),
  );
  const ends = (name: CommandName): boolean =>
    [...formCommands].some(([one, { menu }]) => one === name && menu.group === 'end');
  // Whatever else is to be decided, the pull request can't be merged like that.
  const comesFirst = (name: CommandName): boolean =>
    [...formCommands].some(([one, { menu }]) => one === name && menu.row === 'failedChecks');
  const comesLater = (name: CommandName): boolean => isReviewed && name === 'reviewChanges';
  return [
    ...offered.filter(comesFirst),
    ...offered.filter((name) => !ends(name) && !comesFirst(name) && !comesLater(name)),
    ...offered.filter(comesLater),
    ...offered.filter(ends),
  ];
}

/** They show or export a ticket, or are about one of its lines. */
export function furtherCommands(ticket: Offer): readonly CommandName[] {
  const offered = offeredCommands(ticket);
  const shown: readonly CommandName[] = ['openTicket', 'whatNext'];
  return commandNames.filter(
    (name) => isOffered(name, ticket) && !offered.includes(name) && !shown.includes(name),
  );
}

export function menuCommands(ticket: Offer): readonly CommandName[] {
  return commandNames.filter(
    (name) => (commandRow(name).action ?? commandRow(name).needs) !== undefined && isOffered(name, ticket),
  );
}

/**
 * The command that a person most likely wants; where the choice is theirs, the one that shows all of it.
 * `isReviewed`: as for `offeredCommands`.
 */
export function likelyCommand(ticket: Offer, isReviewed = false): CommandName {
  if (asks(ticket)) return 'replyToAgent';
  if (ticket.hold === 'budget' && isOffered('changeLimits', ticket)) return 'changeLimits';
  if (ticket.hold !== null) return 'whatNext';
  const end = isReviewed ? 'merge' : 'reviewChanges';
  const likely: readonly CommandName[] = [
    'start',
    'openInterview',
    'approve',
    'qa',
    'rerunChecks',
    end,
    // Where nothing is merged here.
    'createPullRequest',
    'mergePullRequest',
  ];
  return likely.find((name) => isOffered(name, ticket)) ?? 'whatNext';
}
