import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { InboxKind } from '../../domain/ticket/inbox.ts';
import { actionNames } from '../../domain/workflow/actions.ts';
import { rowOf, statuses } from '../../domain/workflow/workflow.ts';
import type { TicketDetail } from '../../protocol/api.ts';
import { openOf, type Repositories } from '../shared/repositories.ts';
import type { NotificationKind } from '../../protocol/attention.ts';

/** With these a person ends a ticket; what follows is done for them. */
const ending: readonly InboxKind[] = ['merge', 'close'];

/** Between an action and a change that follows without work, in milliseconds. */
const soonMs = 60_000;

/** Remembers what was last done about each ticket in this window: people know that already. */
export class OwnActs implements Disposable {
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
