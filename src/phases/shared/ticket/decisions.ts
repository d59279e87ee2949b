import { type Domain, councilKinds } from '../../../domain/documents/documents.ts';
import { beadsDocument, beadsOutline } from '../../../domain/documents/beads.ts';
import { interviewDocument, interviewOutline } from '../../../domain/requirements/interview.ts';
import { prdDocument, prdOutline } from '../../../domain/requirements/prd.ts';
import type { Change } from '../../../engine/ports/storePort.ts';
import { type Decision, Decisions, editDecision, withEditedNotes } from '../../../domain/loss/decisions.ts';
import type { Outline } from '../../../domain/documents/base/outline.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import { storedDocument, type StoreIo, yamlText } from './artifacts.ts';
import { choicesOf } from './promptChoices.ts';

type SaveIo = StoreIo & { readonly save: (change: Change) => void };

/** Reads people's decisions about a document so far (docs/decisions/096-people-decide.md). */
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

/** Keeps what people decided, for every later call about the document. */
export async function saveDecisions(
  io: SaveIo,
  ticket: TicketSnapshot,
  domain: Domain,
  added: readonly Decision[],
): Promise<void> {
  if (added.length === 0) return;
  const { decisions } = await storedDecisions(io, domain);
  const content = yamlText({ schema_version: 1, decisions: [...decisions, ...added] } satisfies Decisions);
  io.save({
    type: 'artifact',
    artifact: `${domain}_decisions`,
    content,
    status: ticket.status,
    attempt: ticket.attempt,
  });
}

/** Keeps what a person's edit of a document says. Documents that no council drafts have no decisions. */
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

/**
 * The outlines by which two versions of a document are compared, and the part of its value that each outline
 * is about.
 */
const outlines: Readonly<
  Record<Domain, { readonly outline: Outline; readonly comparable: (document: unknown) => unknown }>
> = {
  [interviewDocument.kind]: { outline: interviewOutline, comparable: (document) => document },
  [prdDocument.kind]: { outline: prdOutline, comparable: (document) => document },
  [beadsDocument.kind]: { outline: beadsOutline, comparable: (beads) => ({ beads }) },
};
