import { BeadsmithError } from '../../domain/core/errors.ts';
import { ticketBranch } from '../../domain/core/ids.ts';
import {
  type CommitEvidence,
  isSealed,
  proofName,
  type TicketEvidence,
} from '../../domain/proof/commitEvidence.ts';
import type {
  Difference,
  EvidenceSource,
  ProofSignature,
  Verification,
  VerifyOptions,
} from '../../protocol/verification/verification.ts';
import { type BranchCommit, matchEvidence } from './matchEvidence.ts';
import { repeatProof, type VerifyPorts, verifyScratch } from './repeatProof.ts';

/** The commits to verify, and the evidence to verify them by. */
export interface VerifyWork extends VerifyOptions {
  readonly evidence: TicketEvidence;
  readonly source: EvidenceSource;
  /** The key that vouches for a proof. */
  readonly judge: (proof: CommitEvidence) => ProofSignature;
}

/**
 * Runs the evidence of a ticket again, in a scratch worktree of its own, and compares
 * (docs/decisions/061-verify-repeats-the-evidence.md). Aborting `signal` ends it with the signal's reason.
 * Throws REVISION_UNKNOWN, NO_EVIDENCE if there is nothing to run, and GIT_FAILED.
 */
export async function verifyTicket(ports: VerifyPorts, work: VerifyWork): Promise<Verification> {
  const { git } = ports;
  const { evidence, source } = work;
  const head = await headOf(ports, work);
  const { pending, differences } = matchEvidence(
    await branchCommits(ports, evidence, head),
    evidence.evidence,
    work,
  );
  const { headCommit } = await git.repository();
  const uncommitted = headCommit === head ? await git.uncommitted() : [];
  const found: Difference[] = [];
  if (!isSealed(evidence)) found.push({ kind: 'altered' });
  // A proof stands for its tree, so each that is about one of them counts.
  const trees = new Set(pending.map(({ proof }) => proof.tree));
  const signatures = evidence.evidence.filter(({ tree }) => trees.has(tree)).map(work.judge);
  for (const { state, commit, about } of signatures)
    if (state === 'forged') found.push({ kind: 'forged', commit, about });
  if (uncommitted.length > 0) found.push({ kind: 'uncommitted', paths: [...uncommitted] });
  found.push(...(await withPaths(ports, differences, evidence.evidence)));
  const commits: Verification['commits'] = [];
  const total = pending.reduce((sum, { proof }) => sum + proof.commands.length, 0);
  // What nothing was run of isn't equal.
  if (total === 0 && found.length === 0) throw new BeadsmithError('NO_EVIDENCE', { ticket: evidence.ticket });
  let number = 0;
  try {
    for (const one of pending) {
      const result = await repeatProof(ports, one, work.signal, (command) => {
        number += 1;
        work.onProgress?.({ commit: one.commit.sha, command, number, total });
      });
      found.push(...result.differences);
      commits.push({
        commit: one.commit.sha,
        subject: one.commit.subject,
        about: proofName(one.proof),
        commands: result.commands,
      });
    }
  } finally {
    await git.removeScratch(verifyScratch(evidence.ticket));
    await ports.workplace.release(verifyScratch(evidence.ticket));
  }
  const withheld = [...new Set(pending.flatMap(({ proof }) => proof.environment.withheld))];
  return { ticket: evidence.ticket, source, head, commits, differences: found, signatures, withheld };
}

async function headOf({ git }: VerifyPorts, { evidence, revision }: VerifyWork): Promise<string> {
  const branch = ticketBranch(evidence.ticket);
  const wishes =
    revision === undefined ? [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`] : [revision];
  for (const wish of wishes) {
    const commit = await git.resolve(wish);
    if (commit !== undefined) return commit;
  }
  throw new BeadsmithError('REVISION_UNKNOWN', { revision: revision ?? branch });
}

/**
 * The commits of the branch, oldest first; only its head if the commit is missing that it began at, as in a
 * shallow clone.
 */
async function branchCommits(
  { git }: VerifyPorts,
  { base, evidence }: TicketEvidence,
  head: string,
): Promise<readonly BranchCommit[]> {
  const { root } = await git.repository();
  const start = base.commit ?? evidence.find((proof) => proof.base !== null)?.base ?? null;
  const from = start === null ? undefined : await git.resolve(start);
  const listed = from === undefined ? [] : (await git.commits(root, from, head)).toReversed();
  const commits = listed.length > 0 ? listed : [{ sha: head, subject: '' }];
  return Promise.all(
    commits.map(async ({ sha, subject }) => ({ sha, subject, tree: await git.treeOf(sha) })),
  );
}

/** Names the files by which trees differ, where the proved commit is there to compare with. */
async function withPaths(
  { git }: VerifyPorts,
  differences: readonly Difference[],
  proofs: readonly CommitEvidence[],
): Promise<readonly Difference[]> {
  return Promise.all(
    differences.map(async (difference) => {
      if (difference.kind !== 'tree') return difference;
      const proved = proofs.findLast((proof) => proof.tree === difference.recorded)?.commit;
      const from = proved === undefined ? undefined : await git.resolve(proved);
      const files = from === undefined ? [] : await git.compare(from, difference.commit);
      return { ...difference, paths: files.map(({ path }) => path) };
    }),
  );
}
