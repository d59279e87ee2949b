import * as z from 'zod';
import { Sha256, TicketId } from '../core/ids.ts';
import { checked, itemOf, listOf, uniqueIds, wrongTicket } from '../documents/base/check.ts';
import type { Document } from '../documents/base/document.ts';
import { ChangeRecords, CoverageRow } from './interview.ts';
import type { Outline } from '../documents/base/outline.ts';

const lines = z.array(z.string()).default([]);

/** `interview_refs`: question ids, or `ticket` (docs/decisions/093-links.md). */
const UserStory = z.object({
  id: z.string().default(''),
  title: z.string().min(1),
  interview_refs: lines,
  acceptance_criteria: z.array(z.string().min(1)).min(1),
  implementation_steps: lines,
  verification: z.object({ required_commands: lines }).default({ required_commands: [] }),
});

const Epic = z.object({
  id: z.string().default(''),
  title: z.string().min(1),
  objective: z.string().default(''),
  implementation_steps: lines,
  user_stories: z.array(UserStory).min(1),
});

/** A model's PRD (docs/decisions/023-full-answers-and-prd.md), without ids, hash and approval. */
export const PrdDraft = z.object({
  product: z.object({ problem_statement: z.string().min(1), target_users: lines }),
  scope: z.object({ in_scope: z.array(z.string().min(1)).min(1), out_of_scope: lines }),
  technical_requirements: z
    .object({
      architecture_constraints: lines,
      data_model: lines,
      api_contracts: lines,
      security_constraints: lines,
      performance_constraints: lines,
      reliability_constraints: lines,
      error_handling_rules: lines,
      tooling_assumptions: lines,
    })
    .partial()
    .default({}),
  epics: z.array(Epic).min(1),
  risks: lines,
});
export type PrdDraft = z.infer<typeof PrdDraft>;

/** `prd.yaml`, with ids `EPIC-n` and `US-e-s`, in stable key order. */
export const Prd = z.object({
  schema_version: z.literal(1),
  ticket_id: TicketId,
  artifact: z.literal('prd'),
  status: z.enum(['draft', 'approved']),
  source_interview: z.object({ content_sha256: Sha256 }),
  ...PrdDraft.shape,
  approval: z.object({ approved_by: z.string(), approved_at: z.string() }),
});
export type Prd = z.infer<typeof Prd>;

/** The winner's refined draft, with its changes. */
export const RefinedPrd = PrdDraft.extend({ changes: ChangeRecords });

/** A PRD's or plan's coverage audit (docs/decisions/024-coverage-loops.md). */
export const CoverageAudit = z
  .object({
    rows: z.array(CoverageRow).default([]),
    status: z.enum(['clean', 'gaps']),
    gaps: z.array(z.string().min(1)).default([]),
    follow_up_questions: z.array(z.unknown()).max(0).default([]),
  })
  .refine(
    (audit) => (audit.status === 'clean') === (audit.gaps.length === 0),
    'The status is "gaps" if and only if gaps are listed.',
  );
export type CoverageAudit = z.infer<typeof CoverageAudit>;

/** A gap's resolution by a revision. */
export const GapResolution = z.object({
  gap: z.string(),
  action: z.enum(['updated_prd', 'updated_beads', 'already_covered', 'left_unresolved']),
  rationale: z.string().default(''),
  affected_items: z
    .array(z.object({ item_type: z.string(), id: z.string(), label: z.string().default('') }))
    .default([]),
});

/** A model's document after closing gaps, with changes and resolutions. */
export const PrdRevision = RefinedPrd.extend({ gap_resolutions: z.array(GapResolution).min(1) });

/**
 * A stored PRD (docs/decisions/023-full-answers-and-prd.md): ids where missing or repeated; models have no
 * say in status, approval and sources.
 */
export function normalPrd(
  draft: PrdDraft,
  about: { readonly ticketId: string; readonly interviewSha256: string },
): Prd {
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

/** A PRD's part for models and drafts. */
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
      user_stories: epic.user_stories.map((story, place) => ({
        ...story,
        id: storyIds[place] ?? `${prefix}${place + 1}`,
      })),
    };
  });
}

/** The outline of a PRD. */
export const prdOutline: Outline = {
  kind: 'document',
  texts: ['product.problem_statement'],
  lists: [
    'product.target_users',
    'scope.in_scope',
    'scope.out_of_scope',
    ...Object.keys(PrdDraft.shape.technical_requirements.def.innerType.shape).map(
      (list) => `technical_requirements.${list}`,
    ),
    'risks',
  ],
  mixed: 'technical_requirements',
  items: {
    key: 'epics',
    outline: {
      kind: 'epic',
      texts: ['title', 'objective'],
      lists: ['implementation_steps'],
      items: {
        key: 'user_stories',
        outline: {
          kind: 'user_story',
          texts: ['title'],
          lists: [
            'acceptance_criteria',
            'implementation_steps',
            'verification.required_commands',
            'interview_refs',
          ],
        },
      },
    },
  },
};

const counted = 'Epics: {0}, user stories: {1}. {2}';

/** The PRD. An edit keeps its source, and gets missing ids. */
export const prdDocument = {
  kind: 'prd',
  title: 'PRD',
  subject: 'The PRD',
  file: 'prd.yaml',
  format: 'yaml',
  projection: 'prd.yaml',
  schema: Prd,
  council: { draft: 'PRD draft', refined: 'prd_refined', answers: 'full_answers' },
  approval: {
    rewindsTo: 'DRAFTING_BEADS',
    rewindWarning:
      'This document is approved. Saving archives the beads that are based on it, and restarts planning at the beads.',
    edited: ({ value, ticket }, present) => {
      const read = checked(Prd, value);
      if (!read.ok) return read;
      const problem = wrongTicket(read.value, ticket);
      if (problem !== undefined) return { ok: false, error: problem };
      const { content_sha256 } = (present ?? read.value).source_interview;
      return {
        ok: true,
        value: normalPrd(read.value, { ticketId: ticket, interviewSha256: content_sha256 }),
      };
    },
    approved: (prd, approval) => ({ ...prd, status: 'approved', approval }),
  },
  repeatedIds: 'warning',
  items: (value) =>
    listOf(value, ['epics']).flatMap((epic) => {
      const stories = listOf(epic.value, ['user_stories'], epic.path).flatMap((story) =>
        itemOf('story', story, 'title'),
      );
      return itemOf('epic', epic, 'title', stories);
    }),
  summaries: [counted],
  summary: (value) => {
    const { data: prd } = Prd.safeParse(value);
    if (!prd) return undefined;
    const stories = prd.epics.reduce((sum, epic) => sum + epic.user_stories.length, 0);
    return { text: counted, args: [prd.epics.length, stories, prd.product.problem_statement] };
  },
} as const satisfies Document<Prd>;
