import { type CommitEvidence, proofKey, proofName } from '../../domain/proof/commitEvidence.ts';
import type { Difference } from '../../protocol/verification/verification.ts';

/** A commit of the branch, with what can be compared. */
export interface BranchCommit {
  readonly sha: string;
  readonly subject: string;
  readonly tree: string;
}

/** The proof to run at a commit: the one that is about it, or the nearest one if there is none. */
export interface Pending {
  readonly commit: BranchCommit;
  readonly proof: CommitEvidence;
}

export interface Matched {
  readonly pending: readonly Pending[];
  /** Differences that show without running anything. The paths of trees aren't known yet. */
  readonly differences: readonly Difference[];
}

/**
 * Finds the proofs of a branch's commits, oldest first, by their trees: a commit may be rebased or squashed,
 * and anyone who can write notes can write the name of another commit into them. `all`: of each commit;
 * otherwise only of the last one. A last commit without a proof is compared with the last proof that there
 * is.
 */
export function matchEvidence(
  commits: readonly BranchCommit[],
  evidence: readonly CommitEvidence[],
  options: { readonly all: boolean },
): Matched {
  const head = commits.at(-1);
  if (!head) return { pending: [], differences: [] };
  const isOf = (commit: BranchCommit, proof: CommitEvidence) => proof.tree === commit.tree;
  const found = new Set(evidence.filter((proof) => commits.some((commit) => isOf(commit, proof))));
  // Of the same work, only the last proof has to be on the branch: an earlier commit of it was replaced.
  const last = new Map(evidence.map((proof) => [`${proof.of} ${proof.bead ?? ''}`, proofKey(proof)]));
  const isRequired = (proof: CommitEvidence) => [...last.values()].includes(proofKey(proof));
  const missing = evidence.filter((proof) => proof.made && !found.has(proof) && isRequired(proof));
  const differences: Difference[] = [];
  const pending: Pending[] = [];
  let standsIn: CommitEvidence | undefined;
  for (const commit of options.all ? commits : [head]) {
    const proofs = evidence.filter((proof) => isOf(commit, proof));
    const proof = together(proofs);
    if (proof) {
      pending.push({ commit, proof });
      continue;
    }
    const nearest = commit === head ? (missing.at(-1) ?? evidence.at(-1)) : undefined;
    if (!nearest) {
      differences.push({ kind: 'unproved', commit: commit.sha, subject: commit.subject });
      continue;
    }
    standsIn = nearest;
    differences.push({
      kind: 'tree',
      commit: commit.sha,
      about: proofName(nearest),
      recorded: nearest.tree,
      found: commit.tree,
      paths: [],
    });
    pending.push({ commit, proof: nearest });
  }
  // The last commit holds what came before it. A squash is one commit for all of them.
  const isWhole = evidence.some(
    (proof) => isOf(head, proof) && (proof.of === 'integration' || proof.commit !== head.sha),
  );
  for (const proof of options.all && !isWhole ? missing : []) {
    if (proof === standsIn) continue;
    differences.push({ kind: 'missing', commit: proof.commit, about: proofName(proof), tree: proof.tree });
  }
  return { pending, differences };
}

/** The proofs of one commit as one: the newest, with the commands of the others. */
function together(proofs: readonly CommitEvidence[]): CommitEvidence | undefined {
  const newest = proofs.at(-1);
  if (!newest) return undefined;
  const commands = new Map(
    proofs.flatMap((proof) => proof.commands).map((command) => [command.command, command]),
  );
  return { ...newest, commands: [...commands.values()] };
}
