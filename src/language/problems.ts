import type { Document } from '../domain/documents/base/document.ts';
import { documentOf } from '../domain/documents/documents.ts';
import { problemsOf as documentProblems } from '../domain/documents/problems.ts';
import type { DocumentKind } from '../domain/workflow/rows.ts';
import type { ProblemCode } from '../protocol/language.ts';
import type { Located, Span } from './located.ts';

export interface Problem {
  readonly code: ProblemCode;
  readonly args: Readonly<Record<string, string>>;
  readonly severity: 'error' | 'warning';
  readonly span: Span;
}

/**
 * Returns the problems of a document. If it doesn't parse, only that is reported, because everything else
 * would be guesswork; in a document with one value per line, the other lines are still checked. `ticket`: the
 * ticket that the document belongs to, if it is known.
 */
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
