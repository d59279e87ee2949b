import type { Document, Path } from '../domain/documents/base/document.ts';
import { documentOf } from '../domain/documents/documents.ts';
import { problemsOf as documentProblems } from '../domain/documents/problems.ts';
import type { DocumentKind } from '../domain/workflow/rows.ts';
import type { ProblemCode } from '../protocol/language.ts';
import type { Located, Span } from './located.ts';
import { sameName } from '../domain/requirements/criteria.ts';
import type { Hole } from '../domain/links/holes.ts';
import { linksOf, type LinkSources } from '../domain/links/links.ts';
import type { linkProblemTexts } from '../protocol/documentLinks.ts';
import { type LinkedPart, linkedText } from './links.ts';

export interface Problem {
  readonly code: ProblemCode;
  readonly args: Readonly<Record<string, string>>;
  readonly severity: 'error' | 'warning';
  readonly span: Span;
}

/** A document's problems; only syntax if it doesn't parse, but other JSON lines are still checked. */
export function problemsOf(
  kind: DocumentKind,
  located: Located,
  ticket: string | undefined,
): readonly Problem[] {
  const document: Document<unknown> = documentOf(kind);
  const syntax = located.errors.map(({ message, span }): Problem => {
    return { code: 'syntax', args: { reason: message }, severity: 'error', span };
  });
  const isWhole = document.format !== 'jsonl' || (Array.isArray(located.value) && located.value.length === 0);
  if (syntax.length > 0 && isWhole) return syntax;
  const found = documentProblems(document, located.value, ticket);
  return [
    ...syntax,
    ...found.map(({ path, ...problem }): Problem => ({ ...problem, span: located.spanOf(path) })),
  ];
}

/** Other kinds are no problem here. */
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
 * Holes in a document: unknown names are errors, others warnings (docs/decisions/093-links.md). `sources`: as
 * in `codeLensesOf`.
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
