import { ContextEntries, type ContextEntry } from '../../../domain/prompts/contextEntries.ts';
import { withEdits } from '../../../domain/prompts/promptChoices.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Ports } from '../../../engine/ports/ports.ts';
import type { RecordIo } from '../../../engine/run/run.ts';
import type { Change } from '../../../engine/ports/storePort.ts';
import { artifactChange, readJson } from './artifacts.ts';
import { choicesOf } from './promptChoices.ts';

/**
 * The context entries that were taken from the inbox so far, oldest first, as people changed them since
 * (docs/decisions/141-context-inbox.md).
 */
export async function storedContext(
  io: Pick<RecordIo, 'ports' | 'ticket'>,
): Promise<readonly ContextEntry[]> {
  return asEdited(io, await filedContext(io.ports, io.ticket));
}

/** Entries with what a person changed of them, also while they waited in the inbox. */
export async function asEdited(
  io: Pick<RecordIo, 'ports' | 'ticket'>,
  entries: readonly ContextEntry[],
): Promise<readonly ContextEntry[]> {
  return withEdits(entries, await choicesOf(io.ports, io.ticket));
}

/** The entries as handlers filed them. */
export async function filedContext(
  { store }: Pick<Ports, 'store'>,
  ticket: string,
): Promise<readonly ContextEntry[]> {
  return readJson(ContextEntries, (await store.artifact(ticket, 'context_entries'))?.content)?.entries ?? [];
}

/**
 * The change that stores the entries. Only the handler of the ticket writes them, in steps that come one
 * after the other.
 */
export function contextChange(ticket: TicketSnapshot, entries: readonly ContextEntry[]): Change {
  return artifactChange(ticket, 'context_entries', { schema_version: 1, entries });
}
