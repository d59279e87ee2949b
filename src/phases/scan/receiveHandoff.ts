import { HandoffReport, handoffDocument } from '../../domain/documents/handoffReport.ts';
import { type ReceivedHandoff, receivedHandoffDocument } from '../../domain/documents/receivedHandoff.ts';
import { readText } from '../../domain/documents/base/text.ts';
import { entriesIn, evidenceOf, keepFound, withinTokens } from '../../domain/handoff/handoff.ts';
import type { InboxBody } from '../../domain/ticket/inbox.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import { roleOf } from '../../domain/workflow/roles.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { sectionRow } from '../../context/sections.ts';
import { artifactChange, yamlText } from '../shared/ticket/artifacts.ts';

/**
 * Copies the chosen handoff into the ticket that starts (docs/decisions/139-retrospective-and-handoff.md),
 * without what names only files that the base doesn't have, or what is more than prompts take. What isn't
 * taken over is said, and never blocks the start.
 */
export async function receiveHandoff(
  io: StepIo,
  ticket: TicketSnapshot,
  { choice, commit }: { readonly choice: InboxBody<'start'>['handoff']; readonly commit: string },
): Promise<void> {
  if (choice === undefined) return;
  const found = await chosen(io, ticket, choice);
  if (!found) {
    tell(
      io,
      ticket,
      choice === 'latest' ? 'No completed ticket has left a handoff.' : `${choice} has left no handoff.`,
    );
    return;
  }
  const { from, handoff } = found;
  const named = evidenceOf(handoff);
  const present = named.length === 0 ? [] : await io.ports.git.regularFiles(commit, named);
  const there = keepFound(handoff, present);
  const cap = sectionRow('ticket_handoff').cap;
  const fitting = await withinTokens(there.lists, { cap, count: (text) => io.ports.tokens.count(text) });
  const dropped = [...there.dropped, ...fitting.dropped];
  const received: ReceivedHandoff = {
    schema_version: 1,
    ticket_id: ticket.id,
    artifact: receivedHandoffDocument.kind,
    from,
    ...fitting.lists,
    dropped,
  };
  io.save(artifactChange(ticket, receivedHandoffDocument.kind, yamlText(received)));
  const left = dropped.length === 0 ? '' : ` ${String(dropped.length)} left out: ${dropped.join(' ')}`;
  tell(io, ticket, `Handoff of ${from}: ${String(entriesIn(fitting.lists))} entries.${left}`);
}

async function chosen(
  io: StepIo,
  ticket: TicketSnapshot,
  choice: NonNullable<InboxBody<'start'>['handoff']>,
): Promise<{ readonly from: string; readonly handoff: HandoffReport } | undefined> {
  const completed = (await io.ports.store.summaries()).filter(
    ({ id, status }) => id !== ticket.id && roleOf(status) === 'completed',
  );
  const latest = completed.toSorted((one, other) => other.updatedAt - one.updatedAt);
  for (const { id } of choice === 'latest' ? latest : latest.filter((one) => one.id === choice)) {
    const stored = await io.ports.store.artifact(id, handoffDocument.kind);
    const read = stored && readText(handoffDocument.format, stored.content);
    const handoff = read?.ok === true ? HandoffReport.safeParse(read.value).data : undefined;
    if (handoff) return { from: id, handoff };
  }
  return undefined;
}

function tell(io: StepIo, ticket: TicketSnapshot, text: string): void {
  io.ports.events.emit({
    type: 'activity',
    ticket: ticket.id,
    at: io.ports.clock.now(),
    source: 'engine',
    kind: 'info',
    text,
  });
}
