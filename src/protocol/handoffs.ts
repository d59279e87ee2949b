import { HandoffReport, handoffDocument } from '../domain/documents/handoffReport.ts';
import { BeadsmithError } from '../domain/core/errors.ts';
import { entriesIn } from '../domain/handoff/handoff.ts';
import type { InboxBody } from '../domain/ticket/inbox.ts';
import type { Client } from './api.ts';
import { readArtifact } from './readDocument.ts';

/** A handoff to start with (docs/decisions/139-retrospective-and-handoff.md). */
export interface OfferedHandoff {
  readonly ticket: string;
  readonly title: string;
  readonly entries: number;
  readonly updatedAt: number;
}

/** Non-empty handoffs of completed tickets, newest first. */
export async function offeredHandoffs(client: Client): Promise<readonly OfferedHandoff[]> {
  const completed = await client.tickets(await client.history.completed());
  const latest = completed.toSorted((one, other) => other.updatedAt - one.updatedAt);
  const read = await Promise.all(
    latest.map(async ({ id, title, updatedAt }) => {
      const handoff = await readArtifact(client, id, handoffDocument.kind, HandoffReport);
      return handoff ? { ticket: id, title, entries: entriesIn(handoff), updatedAt } : undefined;
    }),
  );
  return read.filter((one): one is OfferedHandoff => one !== undefined && one.entries > 0);
}

/** Throws INVALID_INPUT for a ticket without a handoff; `latest` may be none. */
export async function checkHandoff(
  client: Client,
  choice: NonNullable<InboxBody<'start'>['handoff']>,
): Promise<void> {
  if (choice === 'latest') return;
  const offered = (await offeredHandoffs(client)).map(({ ticket }) => ticket);
  if (offered.includes(choice)) return;
  const known =
    offered.length === 0
      ? 'no ticket has left one'
      : `there are handoffs of ${offered.slice(0, 20).join(', ')}`;
  throw new BeadsmithError('INVALID_INPUT', {
    what: 'The handoff',
    reason: `${choice} is no completed ticket that has left one; ${known}`,
  });
}
