import type { Path } from '../domain/documents/base/document.ts';
import { documentOf } from '../domain/documents/documents.ts';
import { sameName } from '../domain/requirements/criteria.ts';
import type { Hole } from '../domain/links/holes.ts';
import { linksOf, type LinkSources } from '../domain/links/links.ts';
import type { DocumentKind } from '../domain/workflow/rows.ts';
import type { linkProblemTexts } from '../protocol/documentLinks.ts';
import { type LinkedPart, linkedText } from './linkedText.ts';
import type { Located } from './located.ts';
import type { Problem } from './problems.ts';

/**
 * The part of a document that a kind of hole is about, and the code of the problem there. Kinds that aren't
 * listed are no problem of a document, or are reported without links.
 */
const problemOf: Partial<
  Record<Hole['kind'], { readonly part: LinkedPart['kind']; readonly code: keyof typeof linkProblemTexts }>
> = {
  question: { part: 'question', code: 'openAnswer' },
  story: { part: 'story', code: 'noSource' },
  criterion: { part: 'criterion', code: 'openCriterion' },
  bead: { part: 'bead', code: 'noCriterion' },
  unknownQuestion: { part: 'story', code: 'unknownSource' },
  unknownName: { part: 'bead', code: 'unknownCriterion' },
};

/**
 * The holes of a plan that stand in one of its documents, each at its place: a name that doesn't exist is an
 * error, everything else a warning (docs/decisions/093-links.md). `sources`: the ticket's documents as they
 * are stored; this one counts as its text is now. Holes of a text that is broken aren't guessed, and none are
 * seen towards a document that isn't there.
 */
export function linkProblems(kind: DocumentKind, located: Located, sources: LinkSources): readonly Problem[] {
  const text = linkedText(kind, located.value);
  if (!text || (located.errors.length > 0 && documentOf(kind).format !== 'jsonl')) return [];
  const all = { ...sources, ...text.own };
  const seen = new Set<string>();
  return linksOf(all).holes.flatMap((hole): readonly Problem[] => {
    const { id, name = '' } = hole;
    const found = problemOf[hole.kind];
    const key = `${hole.kind} ${id} ${name}`;
    if (!found || seen.has(key) || (hole.kind === 'unknownQuestion' && all.questions.length === 0)) return [];
    seen.add(key);
    const isUnknown = hole.name !== undefined;
    return text.parts
      .filter((part) => part.kind === found.part && part.id === id)
      .flatMap((part) => placesOf(part, hole))
      .map((path) => ({
        code: found.code,
        args: { id, name },
        severity: isUnknown ? 'error' : 'warning',
        span: located.spanOf(path),
      }));
  });
}

function placesOf({ source, names }: LinkedPart, { name: unknown }: Hole): readonly Path[] {
  if (unknown === undefined) return [source];
  return names.filter(({ name }) => sameName(name) === sameName(unknown)).map(({ path }) => path);
}
