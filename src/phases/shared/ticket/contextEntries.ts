import { ContextEntries, type ContextEntry } from '../../../domain/prompts/contextEntries.ts';
import { withEdits } from '../../../domain/prompts/promptChoices.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Ports } from '../../../engine/ports/ports.ts';
import type { RecordIo } from '../../../engine/run/run.ts';
import type { Change } from '../../../engine/ports/storePort.ts';
import { artifactChange, readJson, storedDocument, type StoreIo, yamlText } from './artifacts.ts';
import { choicesOf } from './promptChoices.ts';
import { type Domain, councilKinds } from '../../../domain/documents/workDocuments.ts';
import { beadsDocument, beadsOutline } from '../../../domain/documents/beads.ts';
import { interviewDocument, interviewOutline } from '../../../domain/requirements/interview.ts';
import { prdDocument, prdOutline } from '../../../domain/requirements/prd.ts';
import { type Decision, Decisions, editDecision, withEditedNotes } from '../../../domain/loss/decisions.ts';
import type { Outline } from '../../../domain/documents/base/outline.ts';

/** As people changed them (docs/decisions/141-context-inbox.md). */
export async function storedContext(
  io: Pick<RecordIo, 'ports' | 'ticket'>,
): Promise<readonly ContextEntry[]> {
  return asEdited(io, await filedContext(io.ports, io.ticket));
}

export async function asEdited(
  io: Pick<RecordIo, 'ports' | 'ticket'>,
  entries: readonly ContextEntry[],
): Promise<readonly ContextEntry[]> {
  return withEdits(entries, await choicesOf(io.ports, io.ticket));
}

export async function filedContext(
  { store }: Pick<Ports, 'store'>,
  ticket: string,
): Promise<readonly ContextEntry[]> {
  return readJson(ContextEntries, (await store.artifact(ticket, 'context_entries'))?.content)?.entries ?? [];
}

/** Only the ticket's handler writes them, step by step. */
export function contextChange(ticket: TicketSnapshot, entries: readonly ContextEntry[]): Change {
  return artifactChange(ticket, 'context_entries', { schema_version: 1, entries });
}

type SaveIo = StoreIo & { readonly save: (change: Change) => void };

/** See docs/decisions/096-people-decide.md. */
export async function storedDecisions(io: StoreIo, domain: Domain): Promise<Decisions> {
  const artifact = `${domain}_decisions` as const;
  const stored = await io.ports.store.artifact(io.ticket, artifact);
  if (!stored) return { schema_version: 1, decisions: [] };
  const [{ document }, choices] = await Promise.all([
    storedDocument(io, artifact, Decisions),
    choicesOf(io.ports, io.ticket),
  ]);
  return withEditedNotes(document, choices);
}

export async function saveDecisions(
  io: SaveIo,
  ticket: TicketSnapshot,
  domain: Domain,
  added: readonly Decision[],
): Promise<void> {
  if (added.length === 0) return;
  const { decisions } = await storedDecisions(io, domain);
  const content = yamlText({ schema_version: 1, decisions: [...decisions, ...added] } satisfies Decisions);
  io.save(artifactChange(ticket, `${domain}_decisions`, content));
}

/** Documents that no council drafts have no decisions. */
export async function saveEditDecision(
  io: SaveIo,
  ticket: TicketSnapshot,
  edit: { readonly kind: string; readonly before: unknown; readonly after: unknown; readonly at: string },
): Promise<void> {
  const domain = councilKinds.find((one) => one === edit.kind);
  if (!domain) return;
  const { outline, comparable } = outlines[domain];
  const decision = editDecision(outline, comparable(edit.before), comparable(edit.after), edit.at);
  await saveDecisions(io, ticket, domain, decision ? [decision] : []);
}

const outlines: Readonly<
  Record<Domain, { readonly outline: Outline; readonly comparable: (document: unknown) => unknown }>
> = {
  [interviewDocument.kind]: { outline: interviewOutline, comparable: (document) => document },
  [prdDocument.kind]: { outline: prdOutline, comparable: (document) => document },
  [beadsDocument.kind]: { outline: beadsOutline, comparable: (beads) => ({ beads }) },
};
