import { Bead, type NewBead } from '../../../domain/beads/bead.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { RecordIo, Run } from '../../../engine/run/run.ts';
import { isoNow } from '../../shared/ticket/artifacts.ts';
import type { SessionRow } from '../../../engine/ports/storePort.ts';

/** Stages a change of a bead and notifies live views. */
export async function changeBead(
  io: RecordIo,
  id: string,
  change: (bead: Bead) => Partial<Bead>,
): Promise<Bead> {
  const beads = await io.ports.store.beads(io.ticket);
  const bead = beads.find((candidate) => candidate.id === id);
  if (!bead) throw new BeadsmithError('UNEXPECTED', { reason: `the plan has no bead ${id}` });
  const set = change(bead);
  io.save({ type: 'bead', id, set });
  const changed = { ...bead, ...set };
  // The plan as it is once the step's own change commits.
  const plan = beads.map((other) => (other.id === id ? changed : other));
  io.ports.events.emit({
    type: 'bead',
    ticket: io.ticket,
    at: io.ports.clock.now(),
    bead: id,
    iteration: changed.iteration,
    state: changed.status,
    done: plan.filter(({ status }) => status === 'done').length,
    total: plan.length,
  });
  return changed;
}

export async function markBeadDone(run: Run, ticket: TicketSnapshot, bead: Bead, key: string): Promise<void> {
  await run.record(key, Bead, async (io) => {
    for (const session of await io.ports.store.sessions(ticket.id)) {
      if (session.bead === bead.id && session.state === 'active')
        io.save({ type: 'session.state', id: session.id, state: 'completed' });
    }
    const now = isoNow(io);
    return changeBead(io, bead.id, () => ({ status: 'done', completedAt: now, updatedAt: now }));
  });
}

export function ofIteration({ id, iteration }: Bead): (session: SessionRow) => boolean {
  return (session) => session.bead === id && session.iteration === iteration;
}

interface AddedTo {
  readonly priority: number;
  readonly ticket: string;
  readonly blockedBy: string[];
  readonly now: string;
}

export function addedBead(bead: NewBead, { priority, ticket, blockedBy, now }: AddedTo): Bead {
  return {
    ...bead,
    priority,
    status: 'pending',
    externalRef: ticket,
    dependencies: { blocked_by: blockedBy, blocks: [] },
    notes: '',
    iteration: 1,
    createdAt: now,
    updatedAt: now,
    completedAt: '',
    startedAt: '',
    beadStartCommit: null,
  };
}

/** Appends to notes, of which each begins with a line like `## Iteration 2`. */
export function appendNote(notes: string, heading: string, text: string): string {
  const note = `## ${heading}\n\n${text.replace(/^## /gm, '### ').trim()}\n`;
  return notes.trim() === '' ? note : `${notes.trimEnd()}\n\n${note}`;
}

interface Skip {
  readonly reason: string;
  readonly by: 'analysis' | 'user';
  readonly replacedBy?: readonly string[];
}

const longestReason = 2_000;

/** Leaves out a bead (docs/decisions/138-failure-analysis.md). The worktree must be reset already. */
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
  // Filed like coding, which has no attempts, so that it stays when a gate's round is archived.
  const content = `${JSON.stringify(receipt, null, 2)}\n`;
  io.save({ type: 'artifact', artifact: `bead_skip:${id}`, content, status: ticket.status, attempt: 1 });
  return changeBead(io, id, (current) => ({
    status: 'skipped',
    skipped: { reason: said, replacedBy: [...replacedBy] },
    updatedAt: at,
    notes: appendNote(current.notes, 'Skipped', said),
  }));
}
