import * as z from 'zod';
import { problemTexts as documentProblems } from '../domain/documents/base/document.ts';
import { documentKinds, documentOf } from '../domain/documents/documents.ts';
import type { DocumentKind } from '../domain/workflow/rows.ts';
import { linkProblemTexts } from './documentLinks.ts';
import { documentScheme } from './schemes.ts';

/** Returns the kind of a ticket's document, or of its readable copy in `.ticket/` of a worktree. */
export function languageKind(scheme: string, path: string): DocumentKind | undefined {
  if (scheme === documentScheme) {
    const file = path.split('/').slice(2).join('/');
    return documentKinds.find((kind) => documentOf(kind).file === file);
  }
  return scheme === 'file' ? copyPatterns.find(({ pattern }) => pattern.test(path))?.kind : undefined;
}

const copies = documentKinds.flatMap((kind) => {
  const { projection } = documentOf(kind);
  return projection === undefined ? [] : [{ kind, projection }];
});

/** The paths of the copies of documents in `.ticket/` of a worktree, as glob patterns of the editor. */
export const copyGlobs: readonly string[] = copies.map(
  ({ projection }) => `**/.ticket/${projection.replace('{flow}', '*')}`,
);

const copyPatterns = copies.map(({ kind, projection }) => {
  const path = projection.replaceAll('.', '\\.').replace('{flow}', '[^/]+');
  return { kind, pattern: new RegExp(`/\\.ticket/${path}$`) };
});

/** The problems of a document. `{reason}` comes from the schema or the parser and stays as it is. */
export const problemTexts = { syntax: '{reason}', ...documentProblems, ...linkProblemTexts } as const;

/** The code of a problem at one place of a document. */
export type ProblemCode = keyof typeof problemTexts;

/** The data of a diagnostic, so that the editor can word it in the person's language. */
export const ProblemData = z.object({
  code: z.custom<ProblemCode>((value) => typeof value === 'string' && Object.hasOwn(problemTexts, value)),
  args: z.record(z.string(), z.string()),
});
export type ProblemData = z.infer<typeof ProblemData>;
