import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InstallationKey, isGenuine } from '../../adapters/keys/installationKey.ts';
import { ticketBranch } from '../../domain/core/ids.ts';
import { type CommitEvidence, proofName, type TicketEvidence } from '../../domain/proof/commitEvidence.ts';
import { keyIdOf, keysFile, readKeys, signedText } from '../../domain/proof/signature.ts';
import type { Git } from '../../engine/ports/gitPort.ts';
import type { ProofSignature } from '../../protocol/verification/verification.ts';

/** Keys with the names of those who have them. */
export type TrustedKeys = ReadonlyMap<string, string>;

/**
 * Says who vouches for a proof: a key that is trusted, another one, nobody; or it was changed after it was
 * signed.
 */
export function judge(proof: CommitEvidence, trusted: TrustedKeys): ProofSignature {
  const at = { commit: proof.commit, about: proofName(proof) };
  const { signature } = proof;
  if (!signature) return { ...at, state: 'unsigned', key: null, name: null };
  const key = keyIdOf(signature.public_key);
  if (key !== signature.key_id || !isGenuine(signedText(proof), signature))
    return { ...at, state: 'forged', key, name: null };
  const name = trusted.get(signature.public_key);
  return name === undefined
    ? { ...at, state: 'unknown', key, name: null }
    : { ...at, state: 'trusted', key, name };
}

/**
 * The keys that evidence of a ticket may be signed with: this user's own, those of their list (`trusted-keys`
 * in the configuration folder), and those that the repository trusts. What the ticket's branch says doesn't
 * count: the list is read where the branch began, if that is on the base branch, and a key that the base
 * branch no longer has isn't trusted any more.
 */
export async function trustedKeys(
  git: Git,
  configFolder: string,
  evidence: TicketEvidence,
  base?: string,
): Promise<TrustedKeys> {
  const own = await new InstallationKey(configFolder).publicKey();
  const list = await readFile(join(configFolder, 'trusted-keys'), 'utf8').catch(() => '');
  const keys = new Map([...(await repositoryKeys(git, evidence, base)), ...readKeys(list)]);
  if (own !== undefined) keys.set(own, 'this installation');
  return keys;
}

async function repositoryKeys(git: Git, evidence: TicketEvidence, base?: string): Promise<TrustedKeys> {
  const branch = base ?? (await git.defaultBranch());
  // In a clone of one branch that branch may be the ticket's own.
  const tip =
    branch === undefined || branch === ticketBranch(evidence.ticket) ? undefined : await git.base(branch);
  if (!tip) return new Map();
  const now = await keysAt(git, tip.commit);
  const start = evidence.base.commit === null ? undefined : await git.resolve(evidence.base.commit);
  if (start === undefined || !(await git.isAncestor(start, tip.commit))) return new Map();
  return new Map([...(await keysAt(git, start))].filter(([key]) => now.has(key)));
}

async function keysAt(git: Git, commit: string): Promise<TrustedKeys> {
  const content = await git.blob(commit, keysFile);
  return content === undefined ? new Map() : readKeys(Buffer.from(content).toString('utf8'));
}
