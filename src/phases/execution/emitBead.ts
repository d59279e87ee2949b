import type { Bead } from '../../domain/bead.ts';
import type { RecordIo } from '../../engine/run.ts';

/** Tells live views what became of a bead. `beads` is the plan as stored, before the step's own change commits. */
export function emitBead(io: RecordIo, beads: readonly Bead[], bead: Bead): void {
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
