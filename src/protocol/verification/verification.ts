import * as z from 'zod';
import { serviceCommands } from '../../domain/environment/services.ts';
import { type ErrorArgs, filled } from '../../domain/core/errors.ts';
import { CommitSha } from '../../domain/core/ids.ts';
import type { TicketEvidence } from '../../domain/proof/commitEvidence.ts';

/** The outcome of a command. */
export const Outcome = z.object({
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
});
export type Outcome = z.infer<typeof Outcome>;

/** `about`: the bead, the final test or the integration that the proof is of. */
const at = { commit: CommitSha, about: z.string() };

/** One way in which what is there differs from what was proved. */
export const Difference = z.discriminatedUnion('kind', [
  /** Other files; `paths` are the changed ones, if the proved commit is there. */
  z.object({
    kind: z.literal('tree'),
    ...at,
    recorded: z.string(),
    found: z.string(),
    paths: z.array(z.string()),
  }),
  /** A command ended in another way. `tests`: those that fail now and didn't. `output`: its last lines. */
  z.object({
    kind: z.literal('result'),
    ...at,
    command: z.string(),
    recorded: Outcome,
    found: Outcome,
    tests: z.array(z.string()),
    output: z.string(),
  }),
  /** A bootstrap command failed, so that nothing could be run. */
  z.object({ kind: z.literal('bootstrap'), ...at, command: z.string(), found: Outcome, output: z.string() }),
  /** A service that ran when it was proved isn't ready: `command` started it or asked it. */
  z.object({
    kind: z.literal('service'),
    ...at,
    service: z.string(),
    command: z.string(),
    found: Outcome,
    output: z.string(),
  }),
  /** A commit without evidence. */
  z.object({ kind: z.literal('unproved'), commit: CommitSha, subject: z.string() }),
  /** Evidence without a commit: neither the commit nor its tree is on the branch. */
  z.object({ kind: z.literal('missing'), ...at, tree: CommitSha }),
  /** The checkout has changes that aren't committed, so nothing was proved of them. */
  z.object({ kind: z.literal('uncommitted'), paths: z.array(z.string()) }),
  /** The evidence was changed after it was written. */
  z.object({ kind: z.literal('altered') }),
  /** It carries a signature that its key didn't make. */
  z.object({ kind: z.literal('forged'), ...at }),
]);
export type Difference = z.infer<typeof Difference>;

/**
 * The state of a signature: `trusted`, a key that is trusted here, with its fingerprint and the name of who
 * has it; `unknown`, another key; `unsigned`, nobody; `forged`, nobody either, although a key is named.
 */
const ProofSignature = z.object({
  ...at,
  state: z.enum(['trusted', 'unknown', 'unsigned', 'forged']),
  key: z.string().nullable(),
  name: z.string().nullable(),
});
export type ProofSignature = z.infer<typeof ProofSignature>;

/** The commands that were run for one commit. */
const VerifiedCommit = z.object({
  commit: CommitSha,
  subject: z.string(),
  about: z.string(),
  commands: z.array(
    z.object({ command: z.string(), found: Outcome, isSame: z.boolean(), durationMs: z.number() }),
  ),
});

/** The source of evidence: the records of this machine, a file, or the notes on the commits. */
export const EvidenceSource = z.enum(['database', 'file', 'notes']);
export type EvidenceSource = z.infer<typeof EvidenceSource>;

/** The result of running the evidence of a ticket again. It is equal if there is no difference. */
export const Verification = z.object({
  ticket: z.string(),
  source: EvidenceSource,
  head: CommitSha,
  commits: z.array(VerifiedCommit),
  differences: z.array(Difference),
  /** Of each proof that was run. It counts as signed if all of them are by keys that are trusted. */
  signatures: z.array(ProofSignature),
  /** Variables that were set when it was proved; their values aren't in the evidence. */
  withheld: z.array(z.string()),
});
export type Verification = z.infer<typeof Verification>;

/** The command that is being run, for a progress display. `number` counts commands from 1. */
export interface VerificationProgress {
  readonly commit: string;
  readonly command: string;
  readonly number: number;
  readonly total: number;
}

/** Options of a verification: its scope, and how its progress is reported. */
export interface VerifyOptions {
  /** The revision whose commits are verified. Default: the ticket's branch, here or on `origin`. */
  readonly revision?: string;
  /** Every commit of the branch instead of only the last one. */
  readonly all: boolean;
  /** Aborting it ends the work with the signal's reason. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: VerificationProgress) => void;
}

/** The evidence of a ticket, and how it is run again. */
export interface Verifier {
  readonly evidence: TicketEvidence;
  readonly source: EvidenceSource;
  /** True if its commands were approved here, or signed by trusted keys. */
  readonly isApproved: boolean;
  /** REVISION_UNKNOWN, GIT_FAILED */
  verify(options: VerifyOptions): Promise<Verification>;
}

/** True if someone who is trusted vouches for everything that was run. */
export function isSigned({ signatures }: Pick<Verification, 'signatures'>): boolean {
  return signatures.length > 0 && signatures.every(({ state }) => state === 'trusted');
}

/** Every command that verifying may run, each once. */
export function commandsOf({ evidence }: TicketEvidence): readonly string[] {
  const commands = evidence.flatMap(({ environment, commands: own }) => [
    ...environment.bootstrap,
    ...serviceCommands(environment.services ?? []),
    ...own.map(({ command }) => command),
  ]);
  return [...new Set(commands)];
}

/** A sentence for each kind of difference. Views translate it. */
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

/** The outcomes of a command, as part of a sentence. Views translate them. */
export const outcomeTexts = {
  exit: 'exited with {exit}',
  signal: 'was terminated by {signal}',
  timedOut: 'timed out',
  notStarted: 'could not be started',
} as const;

/** Puts a text of ours into a person's language, and fills its holes. */
export type Words = (text: string, args: ErrorArgs) => string;

/** A difference as a sentence. `words` puts a text of ours into the person's language. */
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

/** Returns the outcome of a command in words. */
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
