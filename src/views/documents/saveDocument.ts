import { documentOfType, documents, isUngated, type UngatedKind } from '../../domain/documents/documents.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { inboxBodies, type InboxBody } from '../../domain/ticket/inbox.ts';
import { ticketTextHash } from '../../domain/ticket/ticket.ts';
import { rewindTarget } from '../../domain/documents/moves.ts';
import type { Status } from '../../domain/workflow/workflow.ts';
import {
  type ActionOutcome,
  type Client,
  documentsAt,
  type DrivingMode,
  type TicketDetail,
} from '../../protocol/api.ts';
import { sendAction, untilSettled } from '../shared/sendAction.ts';
import { RefusedAction } from '../shared/errorText.ts';
import { newestOf } from './artifactText.ts';

export type EditedArtifact = InboxBody<'edit'>['artifact'];

/** `rewind`: it was approved, so a change goes back to where its successor is drafted. */
export type Editable =
  | { readonly kind: 'gate'; readonly artifact: EditedArtifact }
  | { readonly kind: 'rewind'; readonly artifact: EditedArtifact; readonly to: Status }
  | { readonly kind: 'ungated'; readonly artifact: UngatedKind }
  | { readonly kind: 'no' };

export function editable(
  detail: Pick<TicketDetail, 'ticket' | 'view' | 'gate'>,
  type: string,
  mode: DrivingMode,
): Editable {
  const artifact = inboxBodies.edit.shape.artifact.safeParse(type);
  const { ticket, view, gate } = detail;
  if (isUngated(type) && mode !== 'readOnly' && view.actions.includes(documents[type].ungated.action))
    return { kind: 'ungated', artifact: type };
  // While a ticket is held nobody takes an edit, and the person would wait for nothing.
  if (mode === 'readOnly' || !artifact.success || !view.actions.includes('edit') || ticket.hold !== null)
    return { kind: 'no' };
  if (documentsAt(gate).some((asked) => asked.artifact === type))
    return { kind: 'gate', artifact: artifact.data };
  const to = rewindTarget(ticket, type);
  return to === undefined ? { kind: 'no' } : { kind: 'rewind', artifact: artifact.data, to };
}

interface DocumentEdit {
  readonly artifact: EditedArtifact | UngatedKind;
  readonly content: string;
  /** The hash of what the text was made from. */
  readonly base: string;
  readonly surface?: InboxBody<'edit'>['surface'];
}

/**
 * Files an edit and waits until the ticket is idle or the document another one: an edit is taken before it is
 * checked. `pending`: it is safe in the inbox. Throws what `Client.act` throws, and RefusedAction with the
 * driver's own words.
 */
export async function saveDocument(
  client: Client,
  ticket: string,
  edit: DocumentEdit,
  limitMs: number,
): Promise<'saved' | 'pending'> {
  const { artifact, content, base } = edit;
  if (isUngated(artifact)) {
    const body = { artifact, baseSha256: base, content, reason: '' };
    const state = await sendAction(client, ticket, 'edit_document', body, limitMs);
    return state === 'pending' ? state : 'saved';
  }
  const surface = edit.surface ?? (documentOfType(artifact)?.format === 'jsonl' ? 'jsonl' : 'raw');
  const { id } = await client.act(ticket, 'edit', { artifact, baseSha256: base, content, surface });
  const carriedOut = async (): Promise<ActionOutcome | undefined> => {
    const outcome = await client.outcome(ticket, id);
    if (outcome?.state !== 'consumed') return outcome;
    const { idle, gate, ticket: stored } = await client.ticket(ticket);
    if (artifact === 'ticket')
      return idle || ticketTextHash(stored) !== base ? client.outcome(ticket, id) : undefined;
    const asked = documentsAt(gate).find((one) => one.artifact === artifact);
    const present = asked?.sha256 ?? newestOf(await client.artifacts(ticket), artifact)?.sha256;
    if (!idle && present === base) return undefined;
    // A refusal replaces the acknowledgement, so what stands there now is the last word.
    return client.outcome(ticket, id);
  };
  const outcome = await untilSettled(client, carriedOut, limitMs);
  if (outcome?.state === 'refused') throw new RefusedAction(outcome);
  return outcome ? 'saved' : 'pending';
}

/** INVALID_INPUT when it is no text. */
export function savedText(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new BeadsmithError('INVALID_INPUT', { what: file, reason: 'it is not UTF-8' }, { cause: error });
  }
}
