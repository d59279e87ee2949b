import { BeadsmithError } from '../../domain/core/errors.ts';
import { ticketBranch } from '../../domain/core/ids.ts';
import {
  type CommitEvidence,
  isSealed,
  proofName,
  type TicketEvidence,
  proofKey,
} from '../../domain/proof/commitEvidence.ts';
import {
  commandsOf,
  type Difference,
  type EvidenceSource,
  type ProofSignature,
  type RunRequest,
  type Verification,
  type VerifyOptions,
} from '../../protocol/verification/verification.ts';
import {
  type BranchCommit,
  repeatProof,
  type VerifyPorts,
  verifyScratch,
  type Pending,
} from './repeatProof.ts';

export interface VerifyWork extends VerifyOptions {
  readonly evidence: TicketEvidence;
  readonly source: EvidenceSource;
  /** The commands were approved on this machine. */
  readonly isApproved: boolean;
  readonly judge: (proof: CommitEvidence) => ProofSignature;
}

/**
 * Repeats a ticket's evidence in a scratch worktree (docs/decisions/061-verify-repeats-the-evidence.md).
 * Undefined if what has to be confirmed wasn't. An abort throws its reason. Throws REVISION_UNKNOWN,
 * NO_EVIDENCE, and GIT_FAILED.
 */
export async function verifyTicket(ports: VerifyPorts, work: VerifyWork): Promise<Verification | undefined> {
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
  // A proof counts for its tree.
  const trees = new Set(pending.map(({ proof }) => proof.tree));
  const signatures = evidence.evidence.filter(({ tree }) => trees.has(tree)).map(work.judge);
  for (const { state, commit, about } of signatures)
    if (state === 'forged') found.push({ kind: 'forged', commit, about });
  if (uncommitted.length > 0) found.push({ kind: 'uncommitted', paths: [...uncommitted] });
  found.push(...(await withPaths(ports, differences, evidence.evidence)));
  const commits: Verification['commits'] = [];
  const total = pending.reduce((sum, { proof }) => sum + proof.commands.length, 0);
  // Without a run, nothing is proved equal.
  if (total === 0 && found.length === 0) throw new BeadsmithError('NO_EVIDENCE', { ticket: evidence.ticket });
  const request = requestOf(pending, work, signatures);
  if (request && !(await work.confirm(request))) return undefined;
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

/**
 * Commands that a person has to confirm. Approvals and signatures are about commands in the files that were
 * proved, because a command like `npm test` runs what these say.
 */
function requestOf(
  pending: readonly Pending[],
  { evidence: { ticket }, isApproved }: VerifyWork,
  signatures: readonly ProofSignature[],
): RunRequest | undefined {
  const elsewhere = pending.find(({ commit, proof }) => commit.tree !== proof.tree);
  const isVouchedFor = isApproved || signatures.every(({ state }) => state === 'trusted');
  if (pending.length === 0 || (!elsewhere && isVouchedFor)) return undefined;
  const proofs = pending.map(({ proof }) => proof);
  const variables = [...new Set(proofs.flatMap(({ environment }) => environment.passed))];
  return { ticket, commands: commandsOf(proofs), variables, otherFiles: elsewhere?.commit.sha ?? null };
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

/** Oldest first; in a shallow clone only the head. */
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

interface Matched {
  readonly pending: readonly Pending[];
  /** Known without running; paths of trees are still missing. */
  readonly differences: readonly Difference[];
}

/**
 * Matches proofs by tree, because commits are rebased or squashed, and notes can name any. `all`: each
 * commit, not only the last. A commit without a proof gets the nearest one.
 */
function matchEvidence(
  commits: readonly BranchCommit[],
  evidence: readonly CommitEvidence[],
  options: { readonly all: boolean },
): Matched {
  const head = commits.at(-1);
  if (!head) return { pending: [], differences: [] };
  const isOf = (commit: BranchCommit, proof: CommitEvidence) => proof.tree === commit.tree;
  const found = new Set(evidence.filter((proof) => commits.some((commit) => isOf(commit, proof))));
  // Earlier commits of the same work were replaced.
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
  // A squash replaces all commits.
  const isWhole = evidence.some(
    (proof) => isOf(head, proof) && (proof.of === 'integration' || proof.commit !== head.sha),
  );
  for (const proof of options.all && !isWhole ? missing : []) {
    if (proof === standsIn) continue;
    differences.push({ kind: 'missing', commit: proof.commit, about: proofName(proof), tree: proof.tree });
  }
  return { pending, differences };
}

/** Merges proofs of one commit: the newest, with the others' commands. */
function together(proofs: readonly CommitEvidence[]): CommitEvidence | undefined {
  const newest = proofs.at(-1);
  if (!newest) return undefined;
  const commands = new Map(
    proofs.flatMap((proof) => proof.commands).map((command) => [command.command, command]),
  );
  return { ...newest, commands: [...commands.values()] };
}
