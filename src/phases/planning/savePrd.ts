import { Interview } from '../../domain/interview.ts';
import type { PrdDraft } from '../../domain/prd.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Status } from '../../domain/workflow.ts';
import type { RecordIo } from '../../engine/run.ts';
import { storedDocument } from '../storedDocument.ts';
import { yamlText } from '../yamlText.ts';
import { normalPrd } from './normalPrd.ts';

/** Stores a candidate as the ticket's PRD, with ids and sources of the engine's own. Answers its text. */
export async function savePrd(
  io: RecordIo,
  ticket: TicketSnapshot,
  draft: PrdDraft,
  place: { readonly status: Status; readonly attempt: number },
): Promise<string> {
  const interview = await storedDocument(io, 'interview', Interview);
  const content = yamlText(normalPrd(draft, { ticketId: ticket.id, interviewSha256: interview.sha256 }));
  io.save({ type: 'artifact', artifact: 'prd', content, ...place });
  return content;
}
