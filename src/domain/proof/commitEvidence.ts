import * as z from 'zod';
import { canonicalJson, jsonOf } from '../../base/json.ts';
import { sha256 } from '../../base/sha256.ts';
import { Services } from '../environment/services.ts';
import { Evidence, TestCounts } from '../core/evidence.ts';
import { CommitSha, Sha256, TicketId } from '../core/ids.ts';
import { EvidenceSignature } from './signature.ts';

/** The git notes of evidence (docs/decisions/060-evidence-travels-with-the-commit.md). */
export const evidenceRef = 'refs/notes/beadsmith';

/** A command's evidence without output. */
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

/** For making it again: approved bootstrap, services, search path, and variables without secrets. */
const ProvedEnvironment = z.object({
  bootstrap: z.array(z.string()),
  services: Services.optional(),
  path_prepend: z.array(z.string()),
  variables: z.record(z.string(), z.string()),
  passed: z.array(z.string()),
  withheld: z.array(z.string()),
});

/** A commit's proof. Its tree is named too, for rebases and squashes. */
export const CommitEvidence = z.object({
  schema_version: z.literal(1),
  ticket: TicketId,
  of: z.enum(['bead', 'final_test', 'integration']),
  bead: z.string().nullable(),
  iteration: z.number().int(),
  commit: CommitSha,
  tree: CommitSha,
  /** False if the work changed nothing, and the commit was there. */
  made: z.boolean(),
  commands: z.array(ProvedCommand),
  environment: ProvedEnvironment,
  tools: z.record(z.string(), z.string()),
  base: CommitSha.nullable(),
  proved_at: z.string(),
  /** Over all else; absent in earlier versions. */
  signature: EvidenceSignature.optional(),
});
export type CommitEvidence = z.infer<typeof CommitEvidence>;

/** A commit's note, with one or more proofs. */
export const EvidenceNote = z.object({ schema_version: z.literal(1), evidence: z.array(CommitEvidence) });
export type EvidenceNote = z.infer<typeof EvidenceNote>;

/** `.ticket/evidence.json`: all proofs, oldest first. `sha256`: of all else in it. */
export const TicketEvidence = z.object({
  schema_version: z.literal(1),
  ticket: TicketId,
  branch: z.string().nullable(),
  base: z.object({ branch: z.string().nullable(), commit: CommitSha.nullable() }),
  evidence: z.array(CommitEvidence),
  sha256: Sha256,
});
export type TicketEvidence = z.infer<typeof TicketEvidence>;

/** A ticket's evidence with its hash. */
export function sealed(evidence: Omit<TicketEvidence, 'sha256'>): TicketEvidence {
  return { ...evidence, sha256: hashOf(evidence) };
}

/** True if the hash fits the content. */
export function isSealed({ sha256: stored, ...content }: TicketEvidence): boolean {
  return hashOf(content) === stored;
}

function hashOf(content: Omit<TicketEvidence, 'sha256'>): string {
  return sha256(canonicalJson(content));
}

/** A note with a proof, which replaces one of the same work and commit, or an unreadable note. */
export function noteWith(note: string | undefined, added: CommitEvidence): string {
  const present = readNote(note).filter((one) => proofKey(one) !== proofKey(added));
  const content: EvidenceNote = { schema_version: 1, evidence: [...present, added] };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** A note's proofs; none if it isn't ours. */
export function readNote(note: string | undefined): readonly CommitEvidence[] {
  return EvidenceNote.safeParse(jsonOf(note ?? '')).data?.evidence ?? [];
}

/** A proof's key: work and commit. */
export function proofKey({ ticket, of, bead, commit }: CommitEvidence): string {
  return [ticket, of, bead ?? '', commit].join(' ');
}

/** A proof's subject, for people. */
export function proofName({ of, bead }: Pick<CommitEvidence, 'of' | 'bead'>): string {
  return bead ?? of.replaceAll('_', ' ');
}
