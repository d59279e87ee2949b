import type { Offer, TicketState } from '../../../src/protocol/pages/ticket.ts';

/** The ways in which a ticket that stopped can continue. */
interface WaysOn {
  /** Comes first, because a retry starts the status again. */
  readonly canContinue: boolean;
  /** Asks for a note before it retries; stands with the retry, smaller than it. */
  readonly retry: Offer | undefined;
  /** The choices about a failed bead have the retry without a note. */
  readonly isRetryChosen: boolean;
  /** In the order in which they are shown. */
  readonly others: readonly Offer[];
}

export function waysOn(
  { raise, failed, isPaused }: NonNullable<TicketState['error']>,
  offers: readonly Offer[],
): WaysOn {
  const retry = offers.find(({ name }) => name === 'retry');
  const isRetryChosen = failed?.choices.some(({ choice }) => choice === 'retry') ?? false;
  const canContinue = raise === null && failed === null && offers.some(({ name }) => name === 'continue');
  // A limit that is raised is changed by the button of its own.
  const apart = [
    'retry',
    ...(failed === null ? [] : ['decideFailedBead']),
    ...(raise === null ? [] : ['changeLimits']),
    ...(canContinue ? ['continue'] : []),
  ];
  // Of a paused ticket the ways to continue or end it stand in front of what steers it.
  const leads = (name: string): boolean => isPaused && (name === 'resume' || name === 'cancel');
  const rest = offers.filter(({ name }) => !apart.includes(name));
  const others = rest.toSorted((a, b) => Number(leads(b.name)) - Number(leads(a.name)));
  return { canContinue, retry, isRetryChosen, others };
}
