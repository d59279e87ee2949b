import type { Disposable } from '../../base/disposable.ts';
import type { TicketDetail, TicketView } from '../../protocol/api.ts';
import type { Board, BoardRow } from '../tickets/board.ts';
import { noticeKindOf, Attention, type NoticeKind } from './attention.ts';
import type { Repositories } from '../shared/repositories.ts';
import type { TicketPlace } from '../shared/workbench.ts';

/** The way in which one window notifies people. */
export interface Teller {
  readonly wants: (kind: NoticeKind) => boolean;
  /** Leaves a notification to other windows for a while: to the focused one, else to the one that drives. */
  readonly turn: (drives: boolean) => Promise<void>;
  /** Returns true if what the ticket waits for is in front of the person. */
  readonly sees: (place: TicketPlace, detail: TicketDetail) => boolean;
  readonly tell: (place: TicketPlace, kind: NoticeKind, detail: TicketDetail) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/**
 * Notifies once that a ticket needs a person or that it ended; for a gate, when it is ready for an answer. Of
 * all windows the first one that claims the notification shows it, so that it is shown once, also after
 * reloads.
 */
export function notifyAttention(board: Board, repositories: Repositories, teller: Teller): Disposable {
  const attention = new Attention();
  return board.onDidRead(() => {
    if (!repositories.trusted) return;
    for (const row of board.rows) {
      if (row.error || !row.repository) continue;
      for (const ticket of attention.look(row.root, row.tickets, Date.now()))
        tellOne(row, ticket, attention, teller).catch(teller.failed);
    }
  });
}

async function tellOne(
  { root, repository }: BoardRow,
  ticket: TicketView,
  attention: Attention,
  teller: Teller,
): Promise<void> {
  const kind = noticeKindOf(ticket);
  const detail = await repository?.client.ticket(ticket.id);
  if (!repository || !detail?.idle || !kind || noticeKindOf(detail.view) !== kind) return;
  if (!attention.tell(root, ticket) || !teller.wants(kind)) return;
  await teller.turn(repository.client.repository.mode === 'driver');
  const { ticket: now } = await repository.client.ticket(ticket.id);
  if (now.revision !== detail.ticket.revision || now.hold?.request?.id !== detail.requests[0]?.id) return;
  const place = { repository, ticket: ticket.id };
  // Claimed in any case: who sees it here needs no notice elsewhere.
  const isSeen = teller.sees(place, detail);
  if ((await repository.claim(keyOf(kind, detail))) && !isSeen) await teller.tell(place, kind, detail);
}

/** The same for all windows, and for this call alone. */
function keyOf(kind: NoticeKind, { ticket, requests: [request] }: TicketDetail): string {
  const since = request?.since ?? (ticket.hold?.kind === 'budget' ? ticket.hold.since : undefined);
  return JSON.stringify([ticket.id, ticket.revision, kind, request?.id, since]);
}
