import { BeadsmithError } from '../domain/errors.ts';
import { Interview } from '../domain/documents/interview.ts';
import { Prd } from '../domain/documents/prd.ts';
import type { InboxBody } from '../domain/inbox.ts';
import type { ActionChanges } from '../engine/drive/control.ts';
import { readInterviewEdit } from './interview/interviewDocument.ts';
import { readPrdEdit } from './prd/prdDocument.ts';
import { readEdit } from './shared/artifacts.ts';

/**
 * What an edit of an approved document changes besides rewinding the ticket: the plan is made again (docs/decisions/014-edits-rewind.md). Checked
 * before anything that was built on the previous version is archived: throws EDIT_CONFLICT when the edit was made from another version,
 * INVALID_ARTIFACT when it doesn't parse.
 */
export const rewindChanges: ActionChanges['rewind'] = async (ports, ticket, body) => {
  const problem = await problemOf(ports, ticket, body);
  if (problem) throw problem;
  return [{ type: 'beads', beads: [] }];
};

async function problemOf(...[ports, ticket, body]: Parameters<ActionChanges['rewind']>): Promise<BeadsmithError | undefined> {
  if (body.artifact !== 'interview' && body.artifact !== 'prd') return undefined;
  const shown = body.artifact === 'prd' ? 'The PRD' : 'The interview';
  const present = await ports.store.artifact(ticket.id, body.artifact);
  if (!present || present.info.sha256 !== body.baseSha256) return new BeadsmithError('EDIT_CONFLICT', { artifact: shown });
  const reason =
    body.artifact === 'prd' ? prdProblem(present.content, body.content) : interviewProblem(present.content, body, ports.clock.now());
  return reason === undefined ? undefined : new BeadsmithError('INVALID_ARTIFACT', { artifact: shown, reason });
}

function prdProblem(present: string, content: string): string | undefined {
  const former = readEdit(Prd, present);
  if (!former.ok) return former.error;
  const edited = readPrdEdit(content, former.value);
  return edited.ok ? undefined : edited.error;
}

function interviewProblem(present: string, body: InboxBody<'edit'>, now: number): string | undefined {
  const former = readEdit(Interview, present);
  if (!former.ok) return former.error;
  const edited = readInterviewEdit(body, former.value, new Date(now).toISOString());
  return edited.ok ? undefined : edited.error;
}
