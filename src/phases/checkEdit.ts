import { BeadsmithError } from '../domain/errors.ts';
import { Interview } from '../domain/documents/interview.ts';
import { Prd } from '../domain/documents/prd.ts';
import type { EditCheck } from '../engine/drive/control.ts';
import { readInterviewEdit } from './interview/interviewDocument.ts';
import { readPrdEdit } from './prd/prdDocument.ts';
import { readEdit } from './shared/artifacts.ts';

/**
 * Checks an edit of an approved document before anything that was built on the previous version is archived (docs/decisions/014-edits-rewind.md):
 * EDIT_CONFLICT if it was made from another version, INVALID_ARTIFACT if it doesn't parse.
 */
export const checkEdit: EditCheck = async (ports, ticket, body) => {
  if (body.artifact !== 'interview' && body.artifact !== 'prd') return undefined;
  const shown = body.artifact === 'prd' ? 'The PRD' : 'The interview';
  const present = await ports.store.artifact(ticket.id, body.artifact);
  if (!present || present.info.sha256 !== body.baseSha256) return new BeadsmithError('EDIT_CONFLICT', { artifact: shown });
  const reason =
    body.artifact === 'prd' ? prdProblem(present.content, body.content) : interviewProblem(present.content, body, ports.clock.now());
  return reason === undefined ? undefined : new BeadsmithError('INVALID_ARTIFACT', { artifact: shown, reason });
};

function prdProblem(present: string, content: string): string | undefined {
  const former = readEdit(Prd, present);
  if (!former.ok) return former.error;
  const edited = readPrdEdit(content, former.value);
  return edited.ok ? undefined : edited.error;
}

function interviewProblem(present: string, body: Parameters<EditCheck>[2], now: number): string | undefined {
  const former = readEdit(Interview, present);
  if (!former.ok) return former.error;
  const edited = readInterviewEdit(body, former.value, new Date(now).toISOString());
  return edited.ok ? undefined : edited.error;
}
