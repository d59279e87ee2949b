import * as z from 'zod';

/** Kinds of guarded changes, for people. */
export const guardedNames = {
  secret: 'looks like a secret',
  git: 'changes how git treats files',
  hook: 'changes a git hook',
  editor: 'changes what an editor or agent runs or trusts',
  agent: 'changes what agents are told or may run',
  workflow: 'changes what runs in CI',
  installer: 'changes what is installed, from where, or by what',
  install_script: 'runs a script at installation',
  source: 'takes a dependency from elsewhere',
  script: 'changes a script that people and CI run',
  script_hook: 'runs whenever another script runs',
  runner: 'changes what a runner or a build loads',
  shell: 'changes what a shell or an interpreter loads',
  machine: 'changes what containers and machines run',
  name: 'has a name that not every system can have beside the others',
} as const;

/** A kind of guarded change. */
export type GuardedKind = keyof typeof guardedNames;
const kinds = Object.keys(guardedNames) as GuardedKind[];

/** A change that something else loads, or that holds a credential. */
export const GuardedChange = z.object({
  kind: z.enum(kinds),
  path: z.string(),
  line: z.number().int().nullable(),
  /** The loading tool, or the part of the file. Never the secret itself. */
  text: z.string(),
});
export type GuardedChange = z.infer<typeof GuardedChange>;

/** `guarded_changes_receipt:{work}`: accepted changes. `name`: bead, `final-test` or `base-update`. */
export const GuardedReceipt = z.object({
  schema_version: z.literal(1),
  name: z.string(),
  commit: z.string(),
  content_sha256: z.string(),
  findings: z.array(GuardedChange),
  /** By `markOf`: the same work isn't asked about again. */
  marks: z.array(z.string()).optional(),
  /** Later changes of the same kind and files in this ticket are accepted. */
  for_ticket: z.literal(true).optional(),
  /** Kinds and paths that the base branch accepts (`acceptedChanges.ts`). */
  by_repository: z.array(z.string()).optional(),
  accepted_by: z.literal('user'),
  accepted_at: z.string(),
});
export type GuardedReceipt = z.infer<typeof GuardedReceipt>;

/** A change's name for comparison, without its line, which moves. */
export function identityOf({ kind, path, text }: GuardedChange): string {
  return JSON.stringify([kind, path, text]);
}

/** A changed file; null: missing, or no text. `isGone`: deleted. */
export interface GuardedText {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly isGone?: boolean;
}

/**
 * Files that a tool loads by name. `source`: its documentation. `files`: patterns divided by spaces: `name`
 * at any depth, `name/` a whole folder, `/name` only at the root, `*` a part of a name, `{a,b}` alternatives.
 */
export interface GuardedFile {
  readonly tool: string;
  readonly kind: GuardedKind;
  readonly source: string;
  readonly files: string;
}

/** Rows of a kind, unless they name another one. */
export function ofKind(
  kind: GuardedKind,
  rows: readonly (Omit<GuardedFile, 'kind'> & Partial<GuardedFile>)[],
): readonly GuardedFile[] {
  return rows.map((row) => ({ kind, ...row }));
}

/** A path as systems see it that ignore case, zero-width signs, trailing dots and streams. */
export function folded(path: string): string {
  return path
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll('\\', '/')
    .split('/')
    .map((name) => name.replace(/(?<=.):.*$/s, '').replace(/(?<=[^. ])[. ]{1,200}$/, ''))
    .join('/')
    .toLowerCase()
    .normalize('NFKC');
}

/** The expression of folded paths of these patterns. */
export function patternOf(files: string): RegExp {
  const patterns = files.trim().split(/\s+/);
  const rooted = patterns.filter((one) => one.startsWith('/')).map((one) => expressionOf(one.slice(1)));
  const anywhere = patterns.filter((one) => !one.startsWith('/')).map(expressionOf);
  return new RegExp(`^(?:${[...rooted, `(?:.*/)?(?:${anywhere.join('|') || '(?!)'})`].join('|')})$`, 's');
}

function expressionOf(pattern: string): string {
  const isFolder = pattern.endsWith('/');
  const name = pattern
    .replace(/\/$/, '')
    .toLowerCase()
    .replace(/[.+()[\]^$|?\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('{', '(?:')
    .replaceAll('}', ')')
    .replaceAll(',', '|');
  return isFolder ? `${name}(?:/.*)?` : name;
}
