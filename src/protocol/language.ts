import * as z from 'zod';
import { typeOf } from './documents.ts';
import { documentScheme } from './schemes.ts';

/** Documents the language server knows, by their type. */
export const languageKinds = ['relevant_files', 'interview', 'prd', 'beads', 'execution_setup_plan'] as const;

/** A kind of document that the language server knows. */
export type LanguageKind = (typeof languageKinds)[number];

/** Which of them a file is: a document of a ticket, or its readable copy in `.ticket/` of a worktree. Undefined for anything else. */
export function languageKind(scheme: string, path: string): LanguageKind | undefined {
  const type = scheme === documentScheme ? typeOf(path.split('/').slice(2).join('/')) : scheme === 'file' ? copyOf(path) : undefined;
  return languageKinds.find((kind) => kind === type);
}

function copyOf(path: string): string | undefined {
  if (/\/\.ticket\/beads\/[^/]+\/\.beads\/issues\.jsonl$/.test(path)) return 'beads';
  const file = /\/\.ticket\/([^/]+)$/.exec(path)?.[1];
  return file === undefined ? undefined : typeOf(file);
}

/** What can be wrong with a document. `{name}` is filled in; `{reason}` comes from the schema or the parser and stays as it is. */
export const problemTexts = {
  syntax: '{reason}',
  schema: '{reason}',
  contradiction: '{reason}',
  missing: '“{key}” is missing.',
  empty: 'The document is empty.',
  duplicateId: 'The id {id} is used more than once.',
  unknownBead: 'No bead {id} exists.',
  unknownQuestion: 'No question {id} exists.',
  selfBlocked: '{id} is blocked by itself.',
  unanswered: '{id} isn’t blocked by {from}.',
  circle: 'Dependency cycle: {path}.',
  noAcceptance: '{id} has no acceptance criteria.',
  wrongTicket: 'The ticket is {ticket}.',
} as const;

/** What is wrong at one place of a document. */
export type ProblemCode = keyof typeof problemTexts;

/** What a diagnostic carries, so that the editor can word it in the person's language. */
export const ProblemData = z.object({
  code: z.custom<ProblemCode>((value) => typeof value === 'string' && Object.hasOwn(problemTexts, value)),
  args: z.record(z.string(), z.string()),
});
export type ProblemData = z.infer<typeof ProblemData>;
