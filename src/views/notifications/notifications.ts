import { window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { attentionKey, type NotificationKind, notificationKindOf } from '../../protocol/attention.ts';
import { documentsAt, type TicketDetail, type TicketView } from '../../protocol/api.ts';
import { repositoryKey } from '../../protocol/documents.ts';
import { placeOf } from '../documents/documentUri.ts';
import type { TicketPlace, Workbench } from '../shared/workbench.ts';
import type { Board, BoardRow } from '../tickets/board.ts';
import { type Repositories, openOf } from '../shared/repositories.ts';
import { likelyAt, notificationOf } from './notificationTexts.ts';
import { Attention } from './attention.ts';
import type { InboxKind } from '../../domain/ticket/inbox.ts';
import { actionNames } from '../../domain/workflow/actions.ts';
import { rowOf, statuses } from '../../domain/workflow/workflow.ts';

interface Teller {
  readonly wants: (kind: NotificationKind) => boolean;
  readonly turn: (drives: boolean) => Promise<void>;
  readonly sees: (place: TicketPlace, detail: TicketDetail) => boolean;
  readonly tell: (place: TicketPlace, kind: NotificationKind, detail: TicketDetail) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/** The first window that claims a notification shows it, so that it is shown once, also after reloads. */
export function notifyAttention(board: Board, repositories: Repositories, teller: Teller): Disposable {
  const parts = new DisposableStore();
  const attention = new Attention();
  const acts = parts.add(new OwnActs(repositories));
  parts.add(
    board.onDidRead(() => {
      if (!repositories.trusted) return;
      for (const row of board.rows) {
        if (row.error || !row.repository) continue;
        for (const ticket of attention.look(row.root, row.tickets, Date.now()))
          tellOne(row, ticket, attention, acts, teller).catch(teller.failed);
      }
    }),
  );
  return parts;
}

async function tellOne(
  { root, repository }: BoardRow,
  ticket: TicketView,
  attention: Attention,
  acts: OwnActs,
  teller: Teller,
): Promise<void> {
  const kind = notificationKindOf(ticket);
  const detail = await repository?.client.ticket(ticket.id);
  if (!repository || !detail?.idle || !kind || notificationKindOf(detail.view) !== kind) return;
  if (!attention.tell(root, ticket) || !teller.wants(kind)) return;
  await teller.turn(repository.client.repository.mode === 'driver');
  const { ticket: now } = await repository.client.ticket(ticket.id);
  if (now.revision !== detail.ticket.revision || now.hold?.request?.id !== detail.requests[0]?.id) return;
  const place = { repository, ticket: ticket.id };
  // Claimed in any case: who sees it here needs no notification elsewhere.
  const isSeen = acts.explain(root, kind, detail) || teller.sees(place, detail);
  if ((await repository.claim(attentionKey(kind, detail))) && !isSeen) await teller.tell(place, kind, detail);
}

/** Time left to other windows, in milliseconds. */
const patienceMs = { focused: 0, driver: 1_500, other: 4_000 } as const;

export function notifications(workbench: Workbench): Disposable {
  const failed = (error: unknown): void => workbench.logError('notification', error);
  return notifyAttention(workbench.board, workbench.repositories, {
    wants: (kind) => workbench.notifications.wants(kind),
    turn: patience,
    sees: (place, detail) => window.state.focused && isInFront(workbench, place, detail),
    failed,
    tell: async (place, kind, detail) => {
      const { text, warns, actions, explain } = notificationOf(
        workbench,
        place,
        kind,
        detail,
        await likelyAt(place, detail.view),
      );
      const titles = actions.map(({ title }) => title);
      const answer = await (warns
        ? window.showWarningMessage(text, ...titles)
        : window.showInformationMessage(text, ...titles));
      try {
        await actions.find(({ title }) => title === answer)?.run();
      } catch (error) {
        await explain(error);
      }
    },
  });
}

function isInFront(workbench: Workbench, place: TicketPlace, { gate }: TicketDetail): boolean {
  if (workbench.showsPage(place)) return true;
  const document = window.activeTextEditor && placeOf(window.activeTextEditor.document.uri);
  if (!document || !gate) return false;
  return (
    document.ticket === place.ticket &&
    documentsAt(gate).some(({ artifact }) => artifact === document.type) &&
    document.repository === repositoryKey(place.repository.root)
  );
}

async function patience(drives: boolean): Promise<void> {
  const ms = window.state.focused ? patienceMs.focused : drives ? patienceMs.driver : patienceMs.other;
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}

/** With these a person ends a ticket; what follows is done for them. */
const ending: readonly InboxKind[] = ['merge', 'close'];

/** Between an action and a change that follows without work, in milliseconds. */
const soonMs = 60_000;

/** Remembers what was last done about each ticket in this window: people know that already. */
class OwnActs implements Disposable {
  readonly #last = new Map<string, { readonly kind: InboxKind; readonly at: number }>();
  readonly #lifetime = new DisposableStore();
  #clients = new DisposableStore();

  constructor(repositories: Repositories) {
    this.#lifetime.add(repositories.onDidChange(() => this.#connect(repositories)));
    this.#connect(repositories);
  }

  dispose(): void {
    this.#clients.dispose();
    this.#lifetime.dispose();
  }

  /** Tells if a ticket is where the last action here put it. A block or a question is always news. */
  explain(root: string, kind: NotificationKind, { ticket }: TicketDetail): boolean {
    const last = this.#last.get(keyOf(root, ticket.id));
    if (!last) return false;
    if (kind === 'finished') return ending.includes(last.kind);
    if (kind !== 'needsYou' || ticket.hold) return false;
    return isByPerson(ticket) && Date.now() - last.at < soonMs;
  }

  #connect(repositories: Repositories): void {
    this.#clients.dispose();
    this.#clients = new DisposableStore();
    for (const { root, client } of openOf(repositories))
      this.#clients.add(
        client.onDidAct(({ ticket, kind }) => this.#last.set(keyOf(root, ticket), { kind, at: Date.now() })),
      );
  }
}

/** By an action, such as a retry at a gate, or from another gate: no work came between. */
function isByPerson({ status, entry }: Pick<TicketDetail['ticket'], 'status' | 'entry'>): boolean {
  const exits = statuses
    .filter((from) => rowOf(from).kind === 'gate')
    .flatMap((from) => Object.entries(rowOf(from).exits));
  return (
    actionNames.some((action) => action === entry.by) ||
    exits.some(([exit, to]) => exit === entry.by && to === status)
  );
}

function keyOf(root: string, ticket: string): string {
  return `${root}\n${ticket}`;
}
