import { BeadsmithError } from '../../domain/core/errors.ts';
import { isHeldByStep, type Ticket } from '../../domain/ticket/ticket.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';
import { blockTransition } from '../journal/transition.ts';
import type { Ports } from '../ports/ports.ts';
import { readableTicket } from './readableTicket.ts';

const crashLimit = 3;
const windowMs = 600_000;
const takenOver = 'The process that drove this ticket ended without closing. This one took over.';

/**
 * The process that drove before this one died at work. What its tickets were doing may be the cause: the
 * third time within ten minutes in the same status, a ticket blocks with CRASH_LOOP
 * (docs/decisions/003-retry-continue-and-cancel.md). An open iteration counts for itself (`childRun.ts`).
 */
export async function countCrash({ store, clock, events }: Ports, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const ticket = await readableTicket(store, id);
    if (ticket && rowOf(ticket.status).kind === 'auto')
      events.emit({
        type: 'activity',
        ticket: id,
        at: clock.now(),
        source: 'engine',
        kind: 'info',
        text: takenOver,
      });
    if (!ticket || !(await wasAtWork(store, ticket))) continue;
    const at = clock.now();
    const place = `${ticket.status}/${String(ticket.attempts[ticket.status] ?? 1)}`;
    const isRecent = (crash: { readonly at: number }): boolean => crash.at <= at && at - crash.at < windowMs;
    const crashes = [
      ...(ticket.crashes ?? []).filter((crash) => crash.place === place && isRecent(crash)),
      { place, at },
    ];
    if (crashes.length < crashLimit) {
      await store.commit({ ticket: id, journal: [], changes: [{ type: 'ticket', set: { crashes } }] });
      continue;
    }
    const error = new BeadsmithError('CRASH_LOOP', {
      what: `${rowOf(ticket.status).label} (${id})`,
      count: crashes.length,
    });
    const { changes = [], ...block } = blockTransition(ticket, error);
    await store.commit({ ...block, changes: [...changes, { type: 'ticket', set: { crashes: [] } }] });
    events.emit({
      type: 'blocked',
      ticket: id,
      at,
      code: error.code,
      message: error.message,
      nextStep: error.nextStep,
    });
  }
}

async function wasAtWork(store: Ports['store'], ticket: Ticket): Promise<boolean> {
  const { kind } = rowOf(ticket.status);
  if (
    kind === 'terminal' ||
    (ticket.hold !== null && (!isHeldByStep(ticket.hold) || ticket.hold.request !== undefined))
  )
    return false;
  const run = await store.openRun(ticket.id, ticket.status);
  if (run && (await store.runs(ticket.id)).some(({ parent, state }) => parent === run.id && state === 'open'))
    return false;
  if (kind === 'auto') return true;
  // Of a gate only what its handler does; a wait for a person notes since when.
  return (
    run !== undefined &&
    (await store.steps(run.id)).some((step) => step.state === 'intent' && !isWait(step.notes[0]))
  );
}

function isWait(note: unknown): boolean {
  return typeof note === 'object' && note !== null && 'since' in note;
}
