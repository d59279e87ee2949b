import * as z from 'zod';
import { HandoffLists } from '../handoff/handoff.ts';
import { TicketId } from '../core/ids.ts';
import type { Document } from './base/document.ts';

/**
 * `received-handoff.yaml` (docs/decisions/139-retrospective-and-handoff.md): this ticket's own copy, editable
 * until the plan's approval; without entries it was removed.
 */
export const ReceivedHandoff = z.strictObject({
  schema_version: z.literal(1),
  ticket_id: TicketId,
  artifact: z.literal('received_handoff'),
  from: TicketId,
  ...HandoffLists.shape,
  dropped: z.array(z.string()).default([]),
});
export type ReceivedHandoff = z.infer<typeof ReceivedHandoff>;

/** The handoff from an earlier ticket. */
export const receivedHandoffDocument = {
  kind: 'received_handoff',
  title: 'Received handoff',
  subject: 'The received handoff',
  file: 'received-handoff.yaml',
  format: 'yaml',
  schema: ReceivedHandoff,
  ungated: { action: 'edit_handoff', artifact: 'received_handoff', text: (stored) => stored },
} as const satisfies Document<ReceivedHandoff>;
