/** A PRD's part for links. */
export interface LinkedPrd {
  readonly epics: readonly { readonly id: string; readonly user_stories: readonly LinkedStory[] }[];
}

interface LinkedStory {
  readonly id: string;
  readonly interview_refs: readonly string[];
  readonly acceptance_criteria: readonly string[];
}

/** A criterion, named by story and place from 1: `US-1-1.AC2`. */
export interface Criterion {
  readonly id: string;
  readonly text: string;
  readonly story: string;
  readonly epic: string;
}

/** A PRD's criteria, in order. */
export function criteriaOf({ epics }: LinkedPrd): readonly Criterion[] {
  return epics.flatMap((epic) =>
    epic.user_stories.flatMap((story) =>
      story.acceptance_criteria.map((text, place) => ({
        id: `${story.id}.AC${String(place + 1)}`,
        text,
        story: story.id,
        epic: epic.id,
      })),
    ),
  );
}

/** Names for `prdRefs`: epics, stories and criteria, in PRD order. */
export function prdNames(prd: LinkedPrd): readonly string[] {
  const criteria = criteriaOf(prd);
  return prd.epics.flatMap((epic) => [
    epic.id,
    ...epic.user_stories.flatMap(({ id }) => [
      id,
      ...criteria.filter(({ story }) => story === id).map((criterion) => criterion.id),
    ]),
  ]);
}

/** In characters. */
const longestName = 200;

/** A name in one spelling: `us-1-1 / AC 2` is `US-1-1.AC2`. */
export function sameName(name: string): string {
  const upper = name.trim().toUpperCase();
  if (upper.length > longestName) return upper;
  return upper.replace(/[\s./:#_-]*AC[\s._-]*([1-9]\d*)$/, '.AC$1');
}

/** Nonexistent names, as written. */
export function unknownNames(names: readonly string[], known: readonly string[]): readonly string[] {
  const spelled = new Set(known.map(sameName));
  return names.filter((name) => !spelled.has(sameName(name)));
}

/** The refusal of beads' names, with the PRD's; undefined if all exist. */
export function refsProblem(
  beads: readonly { readonly id: string; readonly prdRefs?: readonly string[] | undefined }[],
  prd: LinkedPrd,
): string | undefined {
  const known = prdNames(prd);
  const problems = beads.flatMap(({ id, prdRefs = [] }) => {
    const odd = unknownNames(prdRefs, known);
    return odd.length === 0 ? [] : [`${id}: prdRefs names ${odd.join(', ')}, which the PRD doesn't have.`];
  });
  return problems.length === 0
    ? undefined
    : [...problems.slice(0, 10), `The PRD has ${listed(known)}.`].join('\n');
}

/** Existing names in a refusal, 60 at most. */
export function listed(all: readonly string[]): string {
  return all.length > 60
    ? `${all.slice(0, 60).join(', ')} and ${String(all.length - 60)} more`
    : all.join(', ');
}

/** A bead's criteria. A story or epic stands for all of its own, unless the bead also names a part of it. */
export function criteriaNamed(prd: LinkedPrd, refs: readonly string[]): readonly Criterion[] {
  const named = new Set(refs.map(sameName));
  const criteria = criteriaOf(prd);
  const isNamed = (id: string): boolean => named.has(sameName(id));
  const storiesInPart = new Set(criteria.filter(({ id }) => isNamed(id)).map(({ story }) => story));
  const epicsInPart = new Set(
    criteria.filter(({ id, story }) => isNamed(id) || isNamed(story)).map(({ epic }) => epic),
  );
  return criteria.filter(
    ({ id, story, epic }) =>
      isNamed(id) ||
      (isNamed(story) && !storiesInPart.has(story)) ||
      (isNamed(epic) && !epicsInPart.has(epic)),
  );
}
