import { Interview } from '../../domain/documents/interview.ts';
import type { Prd, PrdDraft } from '../../domain/documents/prd.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Status } from '../../domain/workflow/workflow.ts';
import type { RecordIo } from '../../engine/run/run.ts';
import { storedDocument, yamlText } from '../shared/artifacts.ts';

/**
 * A PRD as it is stored: ids generated where they are missing or repeated (`EPIC-n`, `US-e-s`), status and approval as given, sources as they are
 * (docs/decisions/023-full-answers-and-prd.md). A model has no say in those.
 */
export function normalPrd(draft: PrdDraft, about: { readonly ticketId: string; readonly interviewSha256: string }): Prd {
  const { product, scope, technical_requirements, risks } = draft;
  return {
    schema_version: 1,
    ticket_id: about.ticketId,
    artifact: 'prd',
    status: 'draft',
    source_interview: { content_sha256: about.interviewSha256 },
    product,
    scope,
    technical_requirements,
    epics: withIds(draft.epics),
    risks,
    approval: { approved_by: '', approved_at: '' },
  };
}

/** The part of a PRD that models write and see in drafts. */
export function prdBody({ product, scope, technical_requirements, epics, risks }: PrdDraft): PrdDraft {
  return { product, scope, technical_requirements, epics: withIds(epics), risks };
}

function withIds(epics: PrdDraft['epics']): PrdDraft['epics'] {
  const epicIds = uniqueIds(
    epics.map((epic) => epic.id),
    /^EPIC-[1-9]\d*$/,
    (number) => `EPIC-${number}`,
  );
  const taken = new Set<string>();
  return epics.map((epic, index) => {
    const id = epicIds[index] ?? `EPIC-${index + 1}`;
    const prefix = `US-${id.slice('EPIC-'.length)}-`;
    const storyIds = uniqueIds(
      epic.user_stories.map((story) => story.id),
      /^US-[1-9]\d*-[1-9]\d*$/,
      (number) => `${prefix}${number}`,
      taken,
    );
    return {
      ...epic,
      id,
      user_stories: epic.user_stories.map((story, place) => ({ ...story, id: storyIds[place] ?? `${prefix}${place + 1}` })),
    };
  });
}

/** Keeps ids that have the right form and are used once; gives the others the next free number. */
function uniqueIds(ids: readonly string[], form: RegExp, make: (number: number) => string, taken = new Set<string>()): readonly string[] {
  const given = new Set(ids.filter((id) => form.test(id)));
  return ids.map((id) => {
    if (form.test(id) && !taken.has(id)) {
      taken.add(id);
      return id;
    }
    let number = 1;
    while (taken.has(make(number)) || given.has(make(number))) number++;
    taken.add(make(number));
    return make(number);
  });
}

/** Stores a candidate as the ticket's PRD, with ids and sources of the engine's own. Answers its text. */
export async function savePrd(
  io: RecordIo,
  ticket: TicketSnapshot,
  draft: PrdDraft,
  place: { readonly status: Status; readonly attempt: number },
): Promise<string> {
  const interview = await storedDocument(io, 'interview', Interview);
  const content = yamlText(normalPrd(draft, { ticketId: ticket.id, interviewSha256: interview.sha256 }));
  io.save({ type: 'artifact', artifact: 'prd', content, ...place });
  return content;
}
