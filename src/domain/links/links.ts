import * as z from 'zod';
import type { CoverageRow } from '../requirements/interview.ts';
import { reasonWithoutProof } from '../beads/bead.ts';
import {
  criteriaNamed,
  criteriaOf,
  type LinkedPrd,
  prdNames,
  sameName,
  unknownNames,
} from '../requirements/criteria.ts';
import { Hole } from './holes.ts';
import { rowOf, settledNote } from './auditRows.ts';

/** A story's source without a question. */
export const ticketSource = 'ticket';

/** Links' data. A missing document leaves out its columns without a hole. */
export interface LinkSources {
  readonly questions: readonly { readonly id: string; readonly prompt: string }[];
  readonly prd?: LinkedPrd;
  readonly beads?: readonly LinkedBead[];
  readonly audited?: readonly CoverageRow[];
  readonly evidence?: Readonly<Record<string, BeadEvidence>>;
}

/** A bead's part for links. */
export interface LinkedBead {
  readonly id: string;
  readonly title: string;
  readonly prdRefs: readonly string[];
  readonly testCommands: readonly string[];
  readonly unprovedReason?: string | undefined;
  readonly issueType?: string;
}

const Texts = z.array(z.string()).readonly();

/** A coded bead's proof: commit, and tests that failed without it. */
const BeadEvidence = z.object({ commit: z.string(), tests: Texts });
export type BeadEvidence = z.infer<typeof BeadEvidence>;

/** A bead, its criteria, and its proof. `reason`: why nothing can prove it. */
const BeadLink = z.object({
  id: z.string(),
  title: z.string(),
  criteria: Texts,
  commands: Texts,
  reason: z.string(),
  evidence: BeadEvidence.optional(),
});
export type BeadLink = z.infer<typeof BeadLink>;

/** Links question → story → criterion → bead → command (→ test and commit), and holes. */
export const Links = z.object({
  questions: z
    .array(z.object({ id: z.string(), text: z.string(), stories: Texts, note: z.string() }))
    .readonly(),
  criteria: z
    .array(z.object({ id: z.string(), text: z.string(), story: z.string(), questions: Texts, beads: Texts }))
    .readonly(),
  beads: z.array(BeadLink).readonly(),
  holes: z.array(Hole).readonly(),
});
export type Links = z.infer<typeof Links>;

/** Computes links from documents (docs/decisions/093-links.md). An audit's claim makes no link. */
export function linksOf(sources: LinkSources): Links {
  const { prd, beads: planned = [], evidence = {} } = sources;
  const known = new Map(sources.questions.map(({ id }) => [sameName(id), id]));
  const stories = (prd?.epics ?? []).flatMap((epic) => epic.user_stories);
  const sourcesOf = new Map(
    stories.map(({ id, interview_refs }) => [
      id,
      interview_refs.flatMap((ref) => sourceOf(ref, known) ?? []),
    ]),
  );
  const beads = planned.map((bead): BeadLink => {
    const { id, title, prdRefs, testCommands } = bead;
    const criteria = prd ? criteriaNamed(prd, prdRefs).map((criterion) => criterion.id) : [];
    const shown = Object.hasOwn(evidence, id) ? evidence[id] : undefined;
    return {
      id,
      title,
      criteria,
      commands: testCommands,
      reason: reasonWithoutProof(bead),
      ...(shown ? { evidence: shown } : {}),
    };
  });
  const questions = sources.questions.map(({ id, prompt }): Links['questions'][number] => {
    const named = stories.filter((story) => sourcesOf.get(story.id)?.includes(id)).map((story) => story.id);
    return {
      id,
      text: prompt,
      stories: named,
      note: named.length === 0 ? settledNote(rowOf(id, sources.audited ?? [])) : '',
    };
  });
  const criteria = (prd ? criteriaOf(prd) : []).map(({ id, text, story }): Links['criteria'][number] => ({
    id,
    text,
    story,
    questions: sourcesOf.get(story) ?? [],
    beads: beads.filter((bead) => bead.criteria.includes(id)).map((bead) => bead.id),
  }));
  const links = { questions, criteria, beads };
  return {
    ...links,
    holes: prd ? [...prdHoles(links, sources, prd), ...planHoles(links, sources, prd)] : [],
  };
}

function sourceOf(ref: string, known: ReadonlyMap<string, string>): string | undefined {
  const name = sameName(ref);
  return name === sameName(ticketSource) ? ticketSource : known.get(name);
}

type Columns = Omit<Links, 'holes'>;

function prdHoles({ questions }: Columns, sources: LinkSources, prd: LinkedPrd): readonly Hole[] {
  const known = new Map(sources.questions.map(({ id }) => [sameName(id), id]));
  const stories = prd.epics.flatMap((epic) => epic.user_stories);
  // Without an interview, the ticket is the source.
  const sourceless = sources.questions.length === 0 ? [] : stories;
  return [
    ...questions
      .filter(({ stories: named, note }) => named.length === 0 && note === '')
      .map(({ id }): Hole => ({ kind: 'question', id })),
    ...sourceless
      .filter(({ interview_refs }) => interview_refs.every((ref) => sourceOf(ref, known) === undefined))
      .map(({ id }): Hole => ({ kind: 'story', id })),
    ...stories.flatMap(({ id, interview_refs }) =>
      interview_refs
        .filter((ref) => sourceOf(ref, known) === undefined)
        .map((name): Hole => ({ kind: 'unknownQuestion', id, name })),
    ),
  ];
}

function planHoles({ criteria, beads }: Columns, sources: LinkSources, prd: LinkedPrd): readonly Hole[] {
  const planned = sources.beads;
  if (!planned) return [];
  const names = prdNames(prd);
  return [
    ...criteria
      .filter((criterion) => criterion.beads.length === 0)
      .map(({ id }): Hole => ({ kind: 'criterion', id })),
    ...beads
      .filter(({ id, criteria: met }) => met.length === 0 && !isFix(planned, id))
      .map(({ id }): Hole => ({ kind: 'bead', id })),
    ...beads
      .filter(({ commands, reason }) => commands.length === 0 && reason === '')
      .map(({ id }): Hole => ({ kind: 'command', id })),
    ...planned.flatMap(({ id, prdRefs }) =>
      unknownNames(prdRefs, names).map((name): Hole => ({ kind: 'unknownName', id, name })),
    ),
  ];
}

/** A bead for a person's finding needs no criterion. */
function isFix(planned: readonly LinkedBead[], id: string): boolean {
  return planned.some((bead) => bead.id === id && bead.issueType === 'qa-fix');
}
