import { documentOfType } from './documents.ts';
import { type ActionName, definitionOf } from '../workflow/actions.ts';
import { rowOf, sequence, type Status, type StatusRow } from '../workflow/workflow.ts';

/** The place of a ticket. `previousStatus`: the status that a block came from. */
interface Place {
  readonly status: Status;
  readonly previousStatus: Status | null;
}

/** A move as it is carried out: where it leads, and the statuses that start a new attempt. */
interface Move {
  readonly to: Status;
  readonly archives: readonly Status[];
  /** True if the open run continues instead of being archived. */
  readonly keepsRun: boolean;
}

/** The move that an entry of the inbox asks for, if any. An edit does when it rewinds. */
export function moveOf(
  place: Place,
  entry: { readonly kind: ActionName; readonly body: object },
): Move | undefined {
  const { effect, keepsRun = false } = definitionOf(entry.kind);
  if (effect === 'move') {
    const to = targetOf(place, entry.kind);
    return to && { to, archives: archivedBy(place, entry.kind, to), keepsRun };
  }
  const artifact =
    'artifact' in entry.body && typeof entry.body.artifact === 'string' ? entry.body.artifact : undefined;
  const rewind = artifact === undefined || entry.kind !== 'edit' ? undefined : rewindTarget(place, artifact);
  return rewind && { to: rewind, archives: onward(rewind), keepsRun: false };
}

/** Returns true if the engine carries an entry out itself, whatever the handler of the status does. */
export function isTakenByEngine(
  place: Place,
  entry: { readonly kind: ActionName; readonly body: object },
): boolean {
  return definitionOf(entry.kind).effect !== 'handler' || moveOf(place, entry) !== undefined;
}

/** Returns true if the engine ends a running handler to carry an entry out. */
export function interrupts(
  place: Place,
  entry: { readonly kind: ActionName; readonly body: object },
): boolean {
  return definitionOf(entry.kind).interrupts || moveOf(place, entry) !== undefined;
}

/** The statuses that start a new attempt when an action or exit leads to a status, in order. */
export function archivedBy(place: Place, action: string, to: Status): readonly Status[] {
  const archives = new Map(Object.entries(rowFor(place, action).actions)).get(action)?.archives;
  if (archives === undefined) return [];
  return archives === 'onward' ? onward(to) : [to].filter(hasAttempts);
}

/** The status whose run is open, or was when the ticket blocked. */
export function runStatus({ status, previousStatus }: Place): Status {
  return rowOf(status).role === 'blocked' && previousStatus !== null ? previousStatus : status;
}

function targetOf(place: Place, action: ActionName): Status | undefined {
  const to = rowFor(place, action).actions[action]?.to;
  if (to === 'self') return runStatus(place);
  if (to === 'asPrevious') return undefined;
  return to === 'previous' ? (place.previousStatus ?? undefined) : to;
}

function rowFor({ status, previousStatus }: Place, action: string): StatusRow {
  const row = rowOf(status);
  const asPrevious = new Map(Object.entries(row.actions)).get(action)?.to === 'asPrevious';
  return asPrevious && previousStatus !== null ? rowOf(previousStatus) : row;
}

function onward(from: Status): readonly Status[] {
  return sequence.from(from).filter((status) => hasAttempts(status) && rowOf(status).kind !== 'terminal');
}

function hasAttempts(status: Status): boolean {
  return rowOf(status).attempts !== false;
}

/**
 * Returns the status that an edit of this artifact in this status rewinds to
 * (docs/decisions/014-edits-rewind.md); undefined when it is the gate's own document or can't be edited any
 * more.
 */
export function rewindTarget(place: Place, artifact: string): Status | undefined {
  const document = documentOfType(artifact);
  const target = document?.approval?.rewindsTo;
  if (!target || rowOf(place.status).actions.edit?.rewinds?.includes(document.kind) !== true)
    return undefined;
  return sequence.from(target).includes(runStatus(place)) ? target : undefined;
}
