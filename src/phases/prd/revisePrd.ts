import { coverageOf } from '../../domain/artifacts.ts';
import type { Section } from '../../context/sections.ts';
import { Interview, interviewDocument } from '../../domain/documents/interview.ts';
import { normalPrd, Prd, type PrdDraft, prdDocument, PrdRevision } from '../../domain/documents/prd.ts';
import { timeoutMs } from '../../domain/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Status } from '../../domain/workflow/workflow.ts';
import type { Run, RecordIo } from '../../engine/run/run.ts';
import type { ContextState } from '../../context/contextState.ts';
import { ask } from '../shared/ask/ask.ts';
import { storedDocument, yamlText } from '../shared/artifacts.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { gapSections, type Resolution, resolutionsProblem } from '../shared/coverage/coverageLoop.ts';

/** What audits and revisions compare a PRD with: the winner's full answers. */
export function prdState(winner: string): (io: RecordIo) => Promise<Partial<ContextState>> {
  return async (io) => ({ fullAnswers: [(await storedDocument(io, `full_answers:${winner}`, Interview)).content] });
}

/** One revision of the PRD for one round of gaps, by the winner in a fresh session. The revised candidate replaces the current one. */
export async function revisePrd(
  run: Run,
  ticket: TicketSnapshot,
  options: {
    readonly key: string;
    readonly winner: string;
    readonly gaps: readonly string[];
    readonly history: readonly Resolution[];
    readonly sections: readonly Section[];
    /** At a gate the new version is filed where the previous one is, so that both are archived together. */
    readonly atGate: boolean;
  },
): Promise<readonly Resolution[]> {
  const { gaps, history } = options;
  const { value } = await ask(run, ticket, {
    key: options.key,
    contextKey: coverageOf(prdDocument.kind),
    prompt: 'prd-revise',
    member: options.winner,
    sections: [...options.sections, ...gapSections(gaps, history)],
    state: prdState(options.winner),
    parse: parseStructured({ schema: PrdRevision, check: (revision) => resolutionsProblem(gaps, revision.gap_resolutions) }),
    result: PrdRevision,
    activeMs: timeoutMs(run.limits.councilResponseTimeout),
    accept: async (io, revision) => {
      const { status, attempt } = options.atGate ? await storedDocument(io, prdDocument.kind, Prd) : ticket;
      await savePrd(io, ticket, revision, { status, attempt });
    },
  });
  return value.gap_resolutions;
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
