import type { Prd } from '../requirements/prd.ts';
import { sameName } from '../requirements/criteria.ts';

/** A PRD's part for a bead: out of scope, general requirements, its stories. */
export interface PrdParts {
  readonly out_of_scope?: readonly string[];
  readonly technical_requirements?: Readonly<Record<string, readonly string[]>>;
  readonly epics?: readonly {
    readonly id: string;
    readonly title: string;
    readonly objective?: string;
    readonly user_stories: readonly {
      readonly id: string;
      readonly title: string;
      /** By the story's names: `AC1` and so on. */
      readonly acceptance_criteria: Readonly<Record<string, string>>;
    }[];
  }[];
}

/**
 * The parts of a PRD for a bead's names: stories named themselves, by a criterion or by their epic, with all
 * criteria. Limits hold for every bead. Empty parts are left out.
 */
export function prdParts(prd: Prd, refs: readonly string[]): PrdParts {
  const named = new Set(refs.map(sameName).flatMap((name) => [name, name.replace(/\.AC\d+$/, '')]));
  const epics = prd.epics.flatMap(({ id, title, objective, user_stories: stories }) => {
    const own = stories.filter((story) => named.has(sameName(id)) || named.has(sameName(story.id)));
    if (own.length === 0) return [];
    const told = own.map((story) => {
      const criteria = story.acceptance_criteria.map(
        (text, place) => [`AC${String(place + 1)}`, text] as const,
      );
      return { id: story.id, title: story.title, acceptance_criteria: Object.fromEntries(criteria) };
    });
    return [{ id, title, ...(objective === '' ? {} : { objective }), user_stories: told }];
  });
  const requirements = Object.entries(prd.technical_requirements).filter(
    (entry): entry is [string, string[]] => (entry[1] ?? []).length > 0,
  );
  return {
    ...(prd.scope.out_of_scope.length === 0 ? {} : { out_of_scope: prd.scope.out_of_scope }),
    ...(requirements.length === 0 ? {} : { technical_requirements: Object.fromEntries(requirements) }),
    ...(epics.length === 0 ? {} : { epics }),
  };
}
