import type { ContextState } from '../../../context/contextState.ts';
import { Bead, beadRuntimeFields } from '../../../domain/beads/bead.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { RecordIo, Run } from '../../../engine/run/run.ts';
import { isoNow } from '../../shared/ticket/artifacts.ts';

/** Stages a change of a bead with its step's receipt and notifies live views. Returns the changed bead. */
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
  emitBead(io, beads, changed);
  return changed;
}

/**
 * Notifies live views of a bead's new state. `beads` is the stored plan, before the step's own change
 * commits.
 */
function emitBead(io: RecordIo, beads: readonly Bead[], bead: Bead): void {
  const plan = beads.map((other) => (other.id === bead.id ? bead : other));
  io.ports.events.emit({
    type: 'bead',
    ticket: io.ticket,
    at: io.ports.clock.now(),
    bead: bead.id,
    iteration: bead.iteration,
    state: bead.status,
    done: plan.filter((other) => other.status === 'done').length,
    total: plan.length,
  });
}

/** Marks a finalized bead as done and closes its sessions. */
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

/**
 * A bead as the coder sees it: as it was planned, and its notes as a slice of their own, so that they can be
 * cut when a prompt is too long. What changes while it is worked on isn't in the record, so that a provider's
 * cache holds it (docs/decisions/040-prompt-order-and-budget.md).
 */
export function beadPrompt(bead: Bead): Pick<ContextState, 'beadData' | 'beadNotes'> {
  return { beadData: plannedBead(bead), beadNotes: splitNotes(bead.notes) };
}

/** A bead as it was planned: nothing in it tells how often it was tried, or what became of that. */
export function plannedBead(bead: Bead): string {
  const runtime: readonly string[] = beadRuntimeFields;
  return JSON.stringify(
    Object.fromEntries(Object.entries(bead).filter(([field]) => !runtime.includes(field))),
    null,
    2,
  );
}

/** Notes are one append-only text; each begins with a line like `## Iteration 2`. */
export function appendNote(notes: string, heading: string, text: string): string {
  const note = `## ${heading}\n\n${text.replace(/^## /gm, '### ').trim()}\n`;
  return notes.trim() === '' ? note : `${notes.trimEnd()}\n\n${note}`;
}

/** Without the signs of their headings: those of the second level are for the parts of a prompt. */
function splitNotes(notes: string): string[] {
  return notes
    .split(/^## /m)
    .map((note) => note.trim())
    .filter((note) => note !== '');
}
