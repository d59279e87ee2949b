import { documentOfType } from '../documents/documents.ts';
import { type Status, rowOf, sequence } from './workflow.ts';

/**
 * Where an edit of this artifact in this status rewinds to (docs/decisions/014-edits-rewind.md); undefined when it is the gate's own document or can't
 * be edited any more.
 */
export function rewindTarget(status: Status, artifact: string): Status | undefined {
  const target = documentOfType(artifact)?.approval?.rewindsTo;
  if (!target) return undefined;
  return rowOf(status).actions.edit?.rewinds && sequence.from(target).includes(status) ? target : undefined;
}
