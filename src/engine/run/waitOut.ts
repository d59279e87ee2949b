import * as z from 'zod';
import type { Json } from '../../base/json.ts';
import type { Hold } from '../../domain/ticket/ticket.ts';
import type { HoldOptions } from './run.ts';
import type { RunScope } from './runScope.ts';
import { tellHold } from './tell.ts';

const HeldNote = z.object({
  type: z.literal('held'),
  hold: z.string(),
  since: z.number(),
  until: z.number(),
});

/** The step that waits for a time or for a person. */
export interface WaitPlace {
  readonly scope: RunScope;
  readonly key: string;
  /** The notes of earlier attempts at the step. */
  readonly earlier: readonly Json[];
  readonly signal: AbortSignal;
}

/** A timer may stand still while the machine sleeps, so the time of day is read at least this often. */
const lookMs = 30_000;

/**
 * Holds the ticket until a time. Several steps may wait side by side: the ticket shows the wait that ends
 * last (see `StepIo.hold`). The time is noted, so that a process that starts in between waits for the rest
 * only; one that finds the ticket no longer held knows that a person continued, and one that finds a time
 * that a person chose waits until then.
 */
export async function waitOut(
  { scope, key, earlier, signal }: WaitPlace,
  { id, kind, until, detail }: HoldOptions,
): Promise<void> {
  const { ports, row } = scope;
  const known = earlier.map((note) => HeldNote.safeParse(note).data).findLast((note) => note?.hold === id);
  let held: Hold = { kind, since: known?.since ?? ports.clock.now(), detail, until: known?.until ?? until };
  if (known) {
    const current = (await ports.store.ticket(row.ticket))?.hold;
    const isChosen = current?.chosen === true;
    // A later one is the wait of another step.
    if (current?.kind !== kind || (!isChosen && (current.until ?? 0) < known.until)) return;
    if (isChosen) held = { ...current, since: held.since };
    scope.waits.set(id, held);
  } else {
    const note: Json = { type: 'held', hold: id, since: held.since, until };
    scope.waits.set(id, held);
    await scope.journal.commit(
      [{ kind: 'step.note', run: row.id, key, note }],
      [{ type: 'ticket', set: { hold: shownOf(scope.waits) } }],
    );
  }
  const end = held.until ?? until;
  scope.left.hold = false;
  tellHold(ports, row.ticket, kind, held.detail, shownOf(scope.waits)?.until ?? end);
  try {
    while (!signal.aborted && ports.clock.now() < end)
      await ports.clock.sleep(Math.min(end - ports.clock.now(), lookMs), signal);
    // The stop decides about the hold: a person lifted it, or the next process waits for the rest.
    signal.throwIfAborted();
  } finally {
    scope.waits.delete(id);
  }
  const next = shownOf(scope.waits);
  await scope.journal.commit([], [{ type: 'ticket', set: { hold: next } }]);
  if (next) tellHold(ports, row.ticket, next.kind, next.detail, next.until ?? null);
  else tellHold(ports, row.ticket, null, 'the wait is over', null);
}

/** The wait that the ticket shows of several: a request to a person, or else the one that ends last. */
export function shownOf(waits: ReadonlyMap<string, Hold>): Hold | null {
  return [...waits.values()].reduce<Hold | null>(
    (latest, hold) => (latest && endOf(latest) >= endOf(hold) ? latest : hold),
    null,
  );
}

function endOf({ request, until = 0 }: Hold): number {
  return request ? Infinity : until;
}
