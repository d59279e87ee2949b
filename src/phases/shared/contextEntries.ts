import { ContextEntries, type ContextEntry } from '../../domain/contextEntries.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { RecordIo } from '../../engine/run/run.ts';
import type { Change } from '../../engine/ports/storePort.ts';
import { artifactChange, readJson } from './artifacts.ts';

/** The context entries that were taken from the inbox so far, oldest first (docs/decisions/141-context-inbox.md). */
export async function storedContext(io: Pick<RecordIo, 'ports' | 'ticket'>): Promise<readonly ContextEntry[]> {
  return readJson(ContextEntries, (await io.ports.store.artifact(io.ticket, 'context_entries'))?.content)?.entries ?? [];
}

/** The change that stores the entries. Only coding writes them, in steps that come one after the other. */
export function contextChange(ticket: TicketSnapshot, entries: readonly ContextEntry[]): Change {
  return artifactChange(ticket, 'context_entries', { schema_version: 1, entries });
}
