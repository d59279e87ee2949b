import { documentOfType } from './documents.ts';
import { type ActionName, definitionOf } from '../workflow/actions.ts';
import { rowOf, sequence, type Status, type StatusRow } from '../workflow/workflow.ts';

interface Place {
  readonly status: Status;
  readonly previousStatus: Status | null;
}

interface Entry {
  readonly kind: ActionName;
  readonly body: object;
}

interface Move {
  readonly to: Status;
  readonly archives: readonly Status[];
  readonly keepsRun: boolean;
}

/** The move of an inbox entry, if any. An edit moves when it rewinds. */
export function moveOf(place: Place, entry: Entry): Move | undefined {
  const { effect, keepsRun = false } = definitionOf(entry.kind);
  if (effect === 'move') {
    const to = targetOf(place, entry.kind);
    return to && { to, archives: archivedBy(place, entry.kind, to), keepsRun };
  }
  const artifact = artifactIn(entry.body);
  const rewind = artifact === undefined || entry.kind !== 'edit' ? undefined : rewindTarget(place, artifact);
  return rewind && { to: rewind, archives: onward(rewind), keepsRun: false };
}

/** The action whose conditions hold for an entry: for an edit outside of gates, that of the document. */
export function conditionedBy({ kind, body }: Entry): ActionName {
  const artifact = kind === 'edit_document' ? artifactIn(body) : undefined;
  return (artifact === undefined ? undefined : documentOfType(artifact)?.ungated?.action) ?? kind;
}

/** True if the engine carries an entry out, not the status's handler. */
export function isTakenByEngine(place: Place, entry: Entry): boolean {
  return definitionOf(entry.kind).effect !== 'handler' || moveOf(place, entry) !== undefined;
}

/** True if the engine ends a running handler for an entry. */
export function interrupts(place: Place, entry: Entry): boolean {
  return definitionOf(entry.kind).interrupts || moveOf(place, entry) !== undefined;
}

/** Statuses that start a new attempt after an action or exit, in order. */
export function archivedBy(place: Place, action: string, to: Status): readonly Status[] {
  const archives = new Map(Object.entries(rowFor(place, action).actions)).get(action)?.archives;
  if (archives === undefined) return [];
  return archives === 'onward' ? onward(to) : [to].filter(hasAttempts);
}

/** The status of the open run, also of a blocked ticket. */
export function runStatus({ status, previousStatus }: Place): Status {
  return rowOf(status).role === 'blocked' && previousStatus !== null ? previousStatus : status;
}

function artifactIn(body: object): string | undefined {
  return 'artifact' in body && typeof body.artifact === 'string' ? body.artifact : undefined;
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
 * The status that an artifact's edit rewinds to (docs/decisions/014-edits-rewind.md); undefined for the
 * gate's own document, or if it can't be edited.
 */
export function rewindTarget(place: Place, artifact: string): Status | undefined {
  const document = documentOfType(artifact);
  const target = document?.approval?.rewindsTo;
  if (!target || rowOf(place.status).actions.edit?.rewinds?.includes(document.kind) !== true)
    return undefined;
  return sequence.from(target).includes(runStatus(place)) ? target : undefined;
}
