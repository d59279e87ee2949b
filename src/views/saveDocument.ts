import { BeadsmithError } from '../domain/errors.ts';
import type { InboxBody } from '../domain/inbox.ts';
import type { ActionOutcome, Client } from '../protocol/api.ts';
import { newestOf } from './artifactText.ts';
import type { EditedArtifact } from './editable.ts';
import { RefusedAction, untilSettled } from './sendAction.ts';

export interface DocumentEdit {
  readonly artifact: EditedArtifact;
  readonly content: string;
  /** The hash of what the text was made from. */
  readonly base: string;
  /** How it was edited; a text editor's, unless said otherwise. */
  readonly surface?: InboxBody<'edit'>['surface'];
}

/**
 * Files an edit and waits until it is carried out. An edit is taken before it is looked at, so the wait ends when the ticket stands still again or the
 * document is another one. `pending`: whoever drives hasn't taken it yet; it lies safely in the inbox.
 * Throws what `Client.act` throws, and RefusedAction with the driver's own words.
 */
export async function saveDocument(client: Client, ticket: string, edit: DocumentEdit, limitMs: number): Promise<'saved' | 'pending'> {
  const { artifact, content, base } = edit;
  const surface = edit.surface ?? (artifact === 'beads' ? 'jsonl' : 'raw');
  const { id } = await client.act(ticket, 'edit', { artifact, baseSha256: base, content, surface });
  const carriedOut = async (): Promise<ActionOutcome | undefined> => {
    const outcome = await client.outcome(ticket, id);
    if (outcome?.state !== 'consumed') return outcome;
    const { ready, gate } = await client.ticket(ticket);
    const present = gate?.artifact === artifact ? gate.sha256 : newestOf(await client.artifacts(ticket), artifact)?.sha256;
    if (!ready && present === base) return undefined;
    // A refusal replaces the acknowledgement, so what stands there now is the last word.
    return client.outcome(ticket, id);
  };
  const outcome = await untilSettled(client, carriedOut, limitMs);
  if (outcome?.state === 'refused') throw new RefusedAction(outcome.message, outcome.code);
  return outcome ? 'saved' : 'pending';
}

/** Reads what an editor hands over to be saved. INVALID_INPUT when it is no text. */
export function savedText(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new BeadsmithError('INVALID_INPUT', { what: file, reason: 'it is not UTF-8' }, { cause: error });
  }
}
