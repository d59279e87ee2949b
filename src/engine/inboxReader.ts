import * as z from 'zod';
import { inboxBodies, type InboxEntry, type InboxKind } from '../domain/inbox.ts';
import type { RunScope } from './runScope.ts';

/** The unread entries of these kinds, oldest first. One whose body can't be read (another version wrote it) is refused and said so. */
export async function readInbox<K extends InboxKind>(
  scope: Pick<RunScope, 'ports' | 'row'>,
  kinds: readonly K[],
): Promise<InboxEntry<K>[]> {
  const entries: InboxEntry<K>[] = [];
  for (const entry of await scope.ports.store.inbox(scope.row.ticket, { pending: true })) {
    if (!isOfKind(entry, kinds)) continue;
    const body = inboxBodies[entry.kind].safeParse(entry.body);
    if (body.success) entries.push(entry);
    else await refuse(scope, entry, z.prettifyError(body.error));
  }
  return entries;
}

function isOfKind<K extends InboxKind>(entry: InboxEntry, kinds: readonly K[]): entry is InboxEntry<K> {
  return kinds.some((kind) => kind === entry.kind);
}

async function refuse(scope: Pick<RunScope, 'ports' | 'row'>, entry: InboxEntry, reason: string): Promise<void> {
  await scope.ports.store.commit({
    ticket: scope.row.ticket,
    journal: [{ kind: 'inbox', id: entry.id, outcome: 'refused', reason }],
    changes: [{ type: 'inbox', id: entry.id, state: 'refused', outcome: { code: 'INVALID_INPUT', message: reason } }],
  });
}
