import * as z from 'zod';
import { problemTexts as documentProblems } from '../domain/documents/base/document.ts';
import { documentKinds, documentOf } from '../domain/documents/documents.ts';
import type { DocumentKind } from '../domain/workflow/rows.ts';
import { linkProblemTexts } from './documentLinks.ts';
import { documentScheme } from './schemes.ts';

/** The kind of a document, or of its copy in `.ticket/`. */
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

/** Globs of the copies in `.ticket/`. */
export const copyGlobs: readonly string[] = copies.map(
  ({ projection }) => `**/.ticket/${projection.replace('{flow}', '*')}`,
);

const copyPatterns = copies.map(({ kind, projection }) => {
  const path = projection.replaceAll('.', '\\.').replace('{flow}', '[^/]+');
  return { kind, pattern: new RegExp(`/\\.ticket/${path}$`) };
});

/** Problems of documents. `{reason}`: from schema or parser, as it is. */
export const problemTexts = { syntax: '{reason}', ...documentProblems, ...linkProblemTexts } as const;

/** The code of a problem. */
export type ProblemCode = keyof typeof problemTexts;

/** A diagnostic, to be translated by the editor. */
export const ProblemData = z.object({
  code: z.custom<ProblemCode>((value) => typeof value === 'string' && Object.hasOwn(problemTexts, value)),
  args: z.record(z.string(), z.string()),
});
export type ProblemData = z.infer<typeof ProblemData>;
