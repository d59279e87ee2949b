import * as z from 'zod';
import { serviceCommands } from '../../domain/environment/services.ts';
import { type ErrorArgs, filled, type Words } from '../../domain/core/errors.ts';
import { CommitSha } from '../../domain/core/ids.ts';
import type { CommitEvidence, TicketEvidence } from '../../domain/proof/commitEvidence.ts';

/** The outcome of a command. */
export const Outcome = z.object({
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
});
export type Outcome = z.infer<typeof Outcome>;

/** `about`: a bead, the final test or the integration. */
const at = { commit: CommitSha, about: z.string() };

/** A difference from the proof. */
export const Difference = z.discriminatedUnion('kind', [
  /** `paths`: changed ones, if the proved commit exists. */
  z.object({
    kind: z.literal('tree'),
    ...at,
    recorded: z.string(),
    found: z.string(),
    paths: z.array(z.string()),
  }),
  /** `tests`: new failures. `output`: last lines. */
  z.object({
    kind: z.literal('result'),
    ...at,
    command: z.string(),
    recorded: Outcome,
    found: Outcome,
    tests: z.array(z.string()),
    output: z.string(),
  }),
  z.object({ kind: z.literal('bootstrap'), ...at, command: z.string(), found: Outcome, output: z.string() }),
  /** Not ready: `command` started it or asked it. */
  z.object({
    kind: z.literal('service'),
    ...at,
    service: z.string(),
    command: z.string(),
    found: Outcome,
    output: z.string(),
  }),
  z.object({ kind: z.literal('unproved'), commit: CommitSha, subject: z.string() }),
  /** Neither the commit nor its tree is on the branch. */
  z.object({ kind: z.literal('missing'), ...at, tree: CommitSha }),
  z.object({ kind: z.literal('uncommitted'), paths: z.array(z.string()) }),
  z.object({ kind: z.literal('altered') }),
  z.object({ kind: z.literal('forged'), ...at }),
]);
export type Difference = z.infer<typeof Difference>;

/**
 * `trusted`: by a trusted key, with fingerprint and owner; `unknown`: another key; `forged`: not by the named
 * key.
 */
const ProofSignature = z.object({
  ...at,
  state: z.enum(['trusted', 'unknown', 'unsigned', 'forged']),
  key: z.string().nullable(),
  name: z.string().nullable(),
});
export type ProofSignature = z.infer<typeof ProofSignature>;

const VerifiedCommit = z.object({
  commit: CommitSha,
  subject: z.string(),
  about: z.string(),
  commands: z.array(
    z.object({ command: z.string(), found: Outcome, isSame: z.boolean(), durationMs: z.number() }),
  ),
});

/** The source of evidence: this machine's records, a file, notes on commits, or a pull request's text. */
export const EvidenceSource = z.enum(['database', 'file', 'notes', 'pull_request']);
export type EvidenceSource = z.infer<typeof EvidenceSource>;

/** The result of repeating a ticket's evidence, equal without differences. */
export const Verification = z.object({
  ticket: z.string(),
  source: EvidenceSource,
  head: CommitSha,
  commits: z.array(VerifiedCommit),
  differences: z.array(Difference),
  signatures: z.array(ProofSignature),
  /** Set during the proof; their values aren't in the evidence. */
  withheld: z.array(z.string()),
});
export type Verification = z.infer<typeof Verification>;

interface VerificationProgress {
  readonly commit: string;
  readonly command: string;
  readonly number: number;
  readonly total: number;
}

/**
 * Commands for which nobody vouches. `variables`: names of those that they get. `otherFiles`: the commit
 * whose files they weren't proved with; null if they were, but were neither approved here nor signed by a
 * trusted key.
 */
export interface RunRequest {
  readonly ticket: string;
  readonly commands: readonly string[];
  readonly variables: readonly string[];
  readonly otherFiles: string | null;
}

/** Options of a verification. */
export interface VerifyOptions {
  /** Default: the ticket's branch, here or on `origin`. */
  readonly revision?: string;
  readonly all: boolean;
  readonly signal: AbortSignal;
  /** Called before commands run for which nobody vouches. */
  readonly confirm: (request: RunRequest) => Promise<boolean>;
  readonly onProgress?: (progress: VerificationProgress) => void;
}

/** A ticket's evidence, which can be repeated. */
export interface Verifier {
  readonly evidence: TicketEvidence;
  readonly source: EvidenceSource;
  /** Undefined if what has to be confirmed wasn't. */
  verify(options: VerifyOptions): Promise<Verification | undefined>;
}

/** True if trusted keys signed everything that was run. */
export function isSigned({ signatures }: Pick<Verification, 'signatures'>): boolean {
  return signatures.length > 0 && signatures.every(({ state }) => state === 'trusted');
}

/** The distinct commands that repeating proofs runs. */
export function commandsOf(proofs: readonly CommitEvidence[]): readonly string[] {
  const commands = proofs.flatMap(({ environment, commands: own }) => [
    ...environment.bootstrap,
    ...serviceCommands(environment.services ?? []),
    ...own.map(({ command }) => command),
  ]);
  return [...new Set(commands)];
}

/** Sentences for differences, translated by views. */
export const differenceTexts = {
  tree: '{commit} does not contain the files that were proved ({about}). Changed: {paths}.',
  result: '`{command}` {found} at {commit}; when it was proved, it {recorded}.',
  bootstrap: 'The bootstrap command `{command}` {found} at {commit}, so nothing else was run.',
  service: 'The service {service} was not ready at {commit}, so nothing else was run: `{command}` {found}.',
  unproved: '{commit} has no evidence: {subject}',
  missing: 'The commit that was proved ({about}) is not on the branch: {commit}, tree {tree}.',
  uncommitted: 'The checkout has uncommitted changes, which are not proved: {paths}.',
  altered: 'The evidence was changed after it was written: its hash does not match.',
  forged:
    'The signature of the evidence of {commit} ({about}) does not match its key: it was changed or copied.',
} as const satisfies Readonly<Record<Difference['kind'], string>>;

/** Outcomes in a sentence, translated by views. */
export const outcomeTexts = {
  exit: 'exited with {exit}',
  signal: 'was terminated by {signal}',
  timedOut: 'timed out',
  notStarted: 'could not be started',
} as const;

/** A difference as a sentence. */
export function differenceText(difference: Difference, words: Words = filled): string {
  const text = differenceTexts[difference.kind];
  switch (difference.kind) {
    case 'tree':
      return words(text, { ...short(difference), paths: listed(difference.paths) });
    case 'result':
      return words(text, {
        ...short(difference),
        recorded: outcomeText(difference.recorded, words),
        found: outcomeText(difference.found, words),
      });
    case 'bootstrap':
      return words(text, { ...short(difference), found: outcomeText(difference.found, words) });
    case 'service':
      return words(text, {
        ...short(difference),
        service: difference.service,
        found: outcomeText(difference.found, words),
      });
    case 'unproved':
      return words(text, { commit: shortSha(difference.commit), subject: difference.subject });
    case 'missing':
      return words(text, { ...short(difference), tree: shortSha(difference.tree) });
    case 'uncommitted':
      return words(text, { paths: listed(difference.paths) });
    case 'forged':
      return words(text, short(difference));
    case 'altered':
      return words(text, {});
  }
}

/** An outcome in words. */
export function outcomeText({ exitCode, signal, timedOut }: Outcome, words: Words = filled): string {
  if (timedOut) return words(outcomeTexts.timedOut, {});
  if (exitCode !== null) return words(outcomeTexts.exit, { exit: exitCode });
  return signal === null ? words(outcomeTexts.notStarted, {}) : words(outcomeTexts.signal, { signal });
}

function short({
  commit,
  about,
  ...rest
}: {
  readonly commit: string;
  readonly about: string;
  readonly command?: string;
}): ErrorArgs {
  return { commit: shortSha(commit), about, command: rest.command ?? '' };
}

function shortSha(sha: string): string {
  return sha.slice(0, 12);
}

const mostPaths = 20;

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, mostPaths).join(', ');
  return paths.length > mostPaths ? `${shown} … (${String(paths.length)})` : shown === '' ? '?' : shown;
}
