import * as z from 'zod';
import { canonicalJson } from '../../base/json.ts';
import { redact } from '../../base/redact.ts';
import { sha256 } from '../../base/sha256.ts';
import { Services } from '../environment/services.ts';
import { Evidence, TestCounts } from '../core/evidence.ts';
import { CommitSha, Sha256, TicketId } from '../core/ids.ts';
import { EvidenceSignature } from './signature.ts';
import { testCountsOf } from './testResults.ts';

/** The ref of the git notes that carry evidence (docs/decisions/060-evidence-travels-with-the-commit.md). */
export const evidenceRef = 'refs/notes/beadsmith';

/** A command that was seen, without its output: how to run it, how it ended, how many tests ran. */
export const ProvedCommand = Evidence.omit({
  cwd: true,
  outputBytes: true,
  head: true,
  tail: true,
  tests: true,
}).extend({
  counts: TestCounts.optional(),
});
export type ProvedCommand = z.infer<typeof ProvedCommand>;

/**
 * The environment that the commands ran in, so that it can be made again: the approved bootstrap, services,
 * the search path, and variables whose values aren't secrets.
 */
const ProvedEnvironment = z.object({
  bootstrap: z.array(z.string()),
  /** The services that ran beside the commands; absent if there were none. */
  services: Services.optional(),
  path_prepend: z.array(z.string()),
  variables: z.record(z.string(), z.string()),
  /** Variables of the person's own environment that commands got, by name. */
  passed: z.array(z.string()),
  /** Variables that were set, whose values look like secrets. */
  withheld: z.array(z.string()),
});
export type ProvedEnvironment = z.infer<typeof ProvedEnvironment>;

/** The proof of one commit. Its tree is named, too, so that a rebase or a squash doesn't lose it. */
export const CommitEvidence = z.object({
  schema_version: z.literal(1),
  ticket: TicketId,
  /** The work that the commit was made for. */
  of: z.enum(['bead', 'final_test', 'integration']),
  /** The bead; null for everything else. */
  bead: z.string().nullable(),
  iteration: z.number().int(),
  commit: CommitSha,
  tree: CommitSha,
  /** True if this work made the commit; false if it changed nothing, and the commit was there. */
  made: z.boolean(),
  commands: z.array(ProvedCommand),
  environment: ProvedEnvironment,
  /** Versions of tools, by the command that tells them. */
  tools: z.record(z.string(), z.string()),
  /** The commit at which the ticket's branch started. */
  base: CommitSha.nullable(),
  proved_at: z.string(),
  /** Over everything else in it. Evidence of earlier versions has none. */
  signature: EvidenceSignature.optional(),
});
export type CommitEvidence = z.infer<typeof CommitEvidence>;

/** The note on a commit. More than one proof may be about the same commit. */
export const EvidenceNote = z.object({ schema_version: z.literal(1), evidence: z.array(CommitEvidence) });
export type EvidenceNote = z.infer<typeof EvidenceNote>;

/** `.ticket/evidence.json`: all proofs, oldest first. `sha256`: the hash of everything else in it. */
export const TicketEvidence = z.object({
  schema_version: z.literal(1),
  ticket: TicketId,
  branch: z.string().nullable(),
  base: z.object({ branch: z.string().nullable(), commit: CommitSha.nullable() }),
  evidence: z.array(CommitEvidence),
  sha256: Sha256,
});
export type TicketEvidence = z.infer<typeof TicketEvidence>;

/** The evidence of a ticket with its hash. */
export function sealed(evidence: Omit<TicketEvidence, 'sha256'>): TicketEvidence {
  return { ...evidence, sha256: hashOf(evidence) };
}

/** Returns true if the content is the one that the hash was made of. */
export function isSealed({ sha256: stored, ...content }: TicketEvidence): boolean {
  return hashOf(content) === stored;
}

function hashOf(content: Omit<TicketEvidence, 'sha256'>): string {
  return sha256(canonicalJson(content));
}

/** A note with one more proof, in place of one of the same work and commit, or of an unreadable note. */
export function noteWith(note: string | undefined, added: CommitEvidence): string {
  const present = readNote(note).filter((one) => proofKey(one) !== proofKey(added));
  const content: EvidenceNote = { schema_version: 1, evidence: [...present, added] };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** The proofs of a note; none if it isn't one of ours. */
export function readNote(note: string | undefined): readonly CommitEvidence[] {
  try {
    return EvidenceNote.safeParse(JSON.parse(note ?? '')).data?.evidence ?? [];
  } catch {
    return [];
  }
}

/** Returns the key of a proof: the work it is about, and the commit. */
export function proofKey({ ticket, of, bead, commit }: CommitEvidence): string {
  return [ticket, of, bead ?? '', commit].join(' ');
}

/** Returns the subject of a proof, as a person names it. */
export function proofName({ of, bead }: Pick<CommitEvidence, 'of' | 'bead'>): string {
  return bead ?? of.replaceAll('_', ' ');
}

/** Evidence as it travels: without the output, which stays in the database, and without the folder. */
export function provedCommand(evidence: Evidence): ProvedCommand {
  const counts = testCountsOf(evidence);
  return ProvedCommand.parse({ ...evidence, ...(counts && { counts }) });
}

/** Variables that may be shown to everyone who gets the commit, and the names of the others. */
export function shownVariables(
  variables: Readonly<Record<string, string>>,
): Pick<ProvedEnvironment, 'variables' | 'withheld'> {
  const entries = Object.entries(variables);
  const isSecret = ([name, value]: readonly [string, string]) =>
    redact(`${name}=${value}`) !== `${name}=${value}`;
  return {
    variables: Object.fromEntries(entries.filter((entry) => !isSecret(entry))),
    withheld: entries.filter(isSecret).map(([name]) => name),
  };
}
