import { ReceivedHandoff, receivedHandoffDocument } from '../../../domain/documents/receivedHandoff.ts';
import { readText } from '../../../domain/documents/base/text.ts';
import { handoffText } from '../../../domain/handoff/handoff.ts';
import type { StoreIo } from './artifacts.ts';

/**
 * Returns what an earlier ticket left for this one, as prompts show it
 * (docs/decisions/139-retrospective-and-handoff.md); empty if there is nothing.
 */
export async function receivedText(io: StoreIo): Promise<string> {
  const stored = await io.ports.store.artifact(io.ticket, receivedHandoffDocument.kind);
  const read = stored && readText(receivedHandoffDocument.format, stored.content);
  const received = read?.ok === true ? ReceivedHandoff.safeParse(read.value).data : undefined;
  return received ? handoffText(received) : '';
}
