import { namedModels, successorOf } from '../../../domain/settings/models.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import { ModelsReceipt } from '../../../domain/workflow/receipts.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import type { CallFrame } from '../structured/askTypes.ts';
import { storedJson } from '../ticket/artifacts.ts';

/**
 * The model of the next prompt, once people changed the ticket's models
 * (docs/decisions/182-models-can-change.md). Members of a council stay: its drafts and ballots name them.
 */
export async function memberNow(
  io: Pick<StepIo, 'ticket' | 'ports'>,
  { settings: then }: Pick<TicketSnapshot, 'settings'>,
  { member, onProviderFailure, bead }: Pick<CallFrame, 'member' | 'onProviderFailure' | 'bead'>,
): Promise<string> {
  const now = (await io.ports.store.ticket(io.ticket))?.settings;
  if (!then || !now || (onProviderFailure === 'member' && !bead)) return member;
  // A model that still has a place was chosen after the change, or is as good as another.
  if (namedModels(now).has(member)) return member;
  const successor = successorOf(member, then, now);
  if (namedModels(now).has(successor)) return successor;
  const replaced = (await storedJson(io, 'models_receipt', ModelsReceipt))?.replaced ?? [];
  return replaced.includes(successor) ? now.mainImplementer : successor;
}
