import type { Offer } from '../../../src/protocol/pages/ticket.ts';

/** Commands that move a ticket on. All others steer it, and are never what a person came for. */
const leading = [
  'start',
  'answer',
  'openInterview',
  'approve',
  'qa',
  'rerunChecks',
  'fixChecks',
  'reviewChanges',
  'merge',
  'retry',
  'continue',
  'decideFailedBead',
];
/** Steps that people take without being asked, most wanted first. */
const wanted = [
  'resume',
  'editDraft',
  'requestChanges',
  'createPullRequest',
  'mergePullRequest',
  'hold',
  'addContext',
];
const mostBesides = 2;

interface HeadActions {
  readonly primary: Offer | undefined;
  readonly besides: readonly Offer[];
  /** The list of actions has others. */
  readonly hasMore: boolean;
}

/** `isLed`: another button stands out already. */
export function headActions(offers: readonly Offer[], isLed: boolean): HeadActions {
  const leads = ({ name }: Offer): boolean => leading.includes(name);
  // What is on hold takes no decision.
  const first = offers.find(({ name }) => name === 'resume') ?? offers.find(leads);
  const primary = isLed ? undefined : first;
  // What is done in a part of the page has its button there.
  const others = offers.filter((offer) => offer !== primary && offer.part === null);
  // A ticket that stopped may not be worth more work.
  const order = [...(isLed ? ['cancel'] : []), ...leading, ...wanted];
  const besides = order
    .flatMap((name) => others.filter((offer) => offer.name === name))
    .slice(0, mostBesides);
  return { primary, besides, hasMore: others.length > besides.length };
}
