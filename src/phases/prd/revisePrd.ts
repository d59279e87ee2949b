import { Interview, interviewDocument } from '../../domain/requirements/interview.ts';
import {
  normalPrd,
  Prd,
  prdBody,
  type PrdDraft,
  prdDocument,
  prdOutline,
  PrdRevision,
} from '../../domain/requirements/prd.ts';
import { prdSubject } from '../../domain/links/subjects.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Status } from '../../domain/workflow/workflow.ts';
import type { Run, RecordIo } from '../../engine/run/run.ts';
import type { ContextState } from '../../context/contextState.ts';
import { storedDocument, yamlText } from '../shared/ticket/artifacts.ts';
import type { Resolution, Subject } from '../shared/coverage/coverageLoop.ts';
import { reviseCandidate, type Revision } from '../shared/coverage/reviseCandidate.ts';

/** Returns a function that reads what audits and revisions compare a PRD with: the winner's full answers. */
export function prdState(winner: string): (io: RecordIo) => Promise<Partial<ContextState>> {
  return async (io) => ({
    fullAnswers: [(await storedDocument(io, `full_answers:${winner}`, Interview)).content],
  });
}

/**
 * Returns a function that reads the items that an audit of the PRD has to speak of: each of the winner's full
 * answers.
 */
export function prdSubjectOf(winner: string): Subject {
  return async (io) => {
    const { questions } = (await storedDocument(io, `full_answers:${winner}`, Interview)).document;
    return prdSubject((await storedDocument(io, prdDocument.kind, Prd)).document, questions);
  };
}

/** One revision of the PRD for one round of gaps. */
export function revisePrd(
  run: Run,
  ticket: TicketSnapshot,
  revision: Revision,
): Promise<readonly Resolution[]> {
  return reviseCandidate(run, ticket, revision, {
    domain: prdDocument.kind,
    schema: PrdRevision,
    guard: {
      outline: prdOutline,
      before: async (io) => prdBody((await storedDocument(io, prdDocument.kind, Prd)).document),
      documentOf: prdBody,
    },
    state: prdState(revision.winner),
    placeOf: (io) => storedDocument(io, prdDocument.kind, Prd),
    save: async (io, revised, place) => {
      await savePrd(io, ticket, revised, place);
    },
  });
}

/** Stores a candidate as the ticket's PRD, with ids and sources of the engine's own. Answers its text. */
export async function savePrd(
  io: RecordIo,
  ticket: TicketSnapshot,
  draft: PrdDraft,
  place: { readonly status: Status; readonly attempt: number },
): Promise<string> {
  const interview = await storedDocument(io, interviewDocument.kind, Interview);
  const content = yamlText(normalPrd(draft, { ticketId: ticket.id, interviewSha256: interview.sha256 }));
  io.save({ type: 'artifact', artifact: prdDocument.kind, content, ...place });
  return content;
}
