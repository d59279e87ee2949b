import * as z from 'zod';

/** The kinds of guarded changes in words for people. */
export const guardedLabels = {
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

/** The kinds of guarded changes. */
export type GuardedKind = keyof typeof guardedLabels;
const kinds = Object.keys(guardedLabels) as GuardedKind[];

/** A change that reaches beyond the code: something else loads it, or it holds a credential. */
export const GuardedChange = z.object({
  kind: z.enum(kinds),
  path: z.string(),
  line: z.number().int().nullable(),
  /** Its nature in a few words: the tool that loads it, or the part of the file. Never the secret itself. */
  text: z.string(),
});
export type GuardedChange = z.infer<typeof GuardedChange>;

/** `guarded_changes_receipt:{work}`: what a person accepted. `name`: bead, `final-test` or `base-update`. */
export const GuardedReceipt = z.object({
  schema_version: z.literal(1),
  name: z.string(),
  commit: z.string(),
  content_sha256: z.string(),
  findings: z.array(GuardedChange),
  /** The marks (`markOf`) of what was accepted, so that the same work isn't asked about again. */
  marks: z.array(z.string()).optional(),
  /** True if later changes of the same kind in the same files are accepted in this ticket. */
  for_ticket: z.literal(true).optional(),
  /** Kinds and paths that the base branch accepts (`acceptedChanges.ts`), without a question. */
  by_repository: z.array(z.string()).optional(),
  accepted_by: z.literal('user'),
  accepted_at: z.string(),
});
export type GuardedReceipt = z.infer<typeof GuardedReceipt>;

/** The name by which changes are compared: without the line, which moves with changes above it. */
export function identityOf({ kind, path, text }: GuardedChange): string {
  return JSON.stringify([kind, path, text]);
}

/** A changed file as a text; null: not there, or no text. `isGone`: the change deletes it. */
export interface GuardedText {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly isGone?: boolean;
}
