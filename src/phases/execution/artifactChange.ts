import type { ArtifactType } from '../../domain/artifacts.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Change } from '../../engine/storePort.ts';

/** A new version of an artifact, filed under the ticket's present status and attempt. A value that isn't a text is written as JSON. */
export function artifactChange(ticket: TicketSnapshot, artifact: ArtifactType, content: unknown): Change {
  const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
  return { type: 'artifact', artifact, content: text, status: ticket.status, attempt: ticket.attempt };
}
