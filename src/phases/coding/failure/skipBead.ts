import { type Bead } from '../../../domain/beads/bead.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { RecordIo } from '../../../engine/run/run.ts';
import { isoNow } from '../../shared/ticket/artifacts.ts';
import { appendNote, changeBead } from '../bead/changeBead.ts';

/**
 * The decision to leave out a bead: the reason, who decided it, and the beads in its place if there are any.
 */
interface Skip {
  readonly reason: string;
  readonly by: 'analysis' | 'user';
  readonly replacedBy?: readonly string[];
}

const longestReason = 2_000;

/**
 * Stages that a bead is left out, with a receipt (docs/decisions/138-failure-analysis.md). Its worktree must
 * be reset already. The caller has checked that nothing depends on it.
 */
export async function skipBead(
  io: RecordIo,
  ticket: TicketSnapshot,
  id: string,
  { reason, by, replacedBy = [] }: Skip,
): Promise<Bead> {
  const said = (reason.trim() || 'No reason was given.').slice(0, longestReason);
  const at = isoNow(io);
  const receipt = {
    schema_version: 1,
    bead_id: id,
    skipped_by: by,
    skipped_at: at,
    reason: said,
    replaced_by: [...replacedBy],
  };
  // Filed with coding, which has no attempts, so that it stays when a gate's round is archived.
  const content = `${JSON.stringify(receipt, null, 2)}\n`;
  io.save({ type: 'artifact', artifact: `bead_skip:${id}`, content, status: ticket.status, attempt: 1 });
  return changeBead(io, id, (current) => ({
    status: 'skipped',
    skipped: { reason: said, replacedBy: [...replacedBy] },
    updatedAt: at,
    notes: appendNote(current.notes, 'Skipped', said),
  }));
}
