import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { systemClock } from '../../adapters/clock/systemClock.ts';
import { WorktreeFiles } from '../../adapters/files/ticketFiles.ts';
import { GitAdapter } from '../../adapters/git/gitAdapter.ts';
import { Shell } from '../../adapters/process/shell.ts';
import { findSandbox } from '../../adapters/sandbox/findSandbox.ts';
import { openStore } from '../../adapters/store/openStore.ts';
import { cacheRoot } from '../../adapters/system/cacheRoot.ts';
import { configRoot } from '../../adapters/system/configRoot.ts';
import { Reservations } from '../../adapters/workplace/reservations.ts';
import { BeadsmithError, invalidInput } from '../../domain/core/errors.ts';
import { type TicketId, ticketBranch } from '../../domain/core/ids.ts';
import { noSandbox, type SandboxSetting } from '../../domain/environment/sandbox.ts';
import { TicketEvidence, type CommitEvidence, proofName } from '../../domain/proof/commitEvidence.ts';
import type { Verifier, ProofSignature } from '../../protocol/verification/verification.ts';
import { TicketSandboxes, readTestsIn } from '../localPorts.ts';
import { locations } from '../locations.ts';
import { TextThread } from '../textThread.ts';
import { evidenceInNotes, ticketEvidence } from '../tickets/ticketEvidence.ts';
import type { VerifyPorts } from './repeatProof.ts';
import { verifyTicket } from './verifyTicket.ts';
import { readFile } from 'node:fs/promises';
import { InstallationKey, isGenuine } from '../../adapters/keys/installationKey.ts';
import { keyIdOf, keysFile, readKeys, signedText } from '../../domain/proof/signature.ts';
import type { Git } from '../../engine/ports/gitPort.ts';

interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sandbox: SandboxSetting;
  readonly sandboxHosts?: readonly string[];
  readonly ticket: TicketId;
  /** Replaces the repository's evidence. */
  readonly file?: string;
}

/**
 * Finds evidence in the file, the database, or notes. Throws NOT_A_REPOSITORY, INVALID_INPUT for the file,
 * NO_EVIDENCE.
 */
export async function openVerifier({
  folder,
  env,
  ticket,
  file,
  sandbox: setting,
  sandboxHosts = [],
}: Place): Promise<Verifier> {
  const git = new GitAdapter({ folder, environment: env });
  const repository = await git.repository();
  const { commonDir } = repository;
  const sandbox = await findSandbox(setting, repository);
  if (setting === 'require' && sandbox.gap !== undefined) throw noSandbox(sandbox.gap);
  const workplace = reservationsOf(commonDir, env);
  const sandboxes = new TicketSandboxes({ repository, reserve: (name) => workplace.reserve(name) });
  const ports = {
    git,
    files: new WorktreeFiles(),
    process: new Shell({
      clock: systemClock,
      environment: env,
      sandbox,
      sandboxHosts,
      policyFor: (command) => sandboxes.forCommand(command),
      readTests: readTestsIn(new TextThread(locations.textWorker)),
    }),
    clock: systemClock,
    workplace,
  };
  const found =
    file === undefined
      ? ((await inDatabase(commonDir, ticket)) ?? (await inNotes(git, ticket)))
      : inFile(file, ticket);
  if (found.evidence.evidence.length === 0) throw new BeadsmithError('NO_EVIDENCE', { ticket });
  const trusted = await trustedKeys(git, configRoot(env), found.evidence, found.baseBranch);
  const isVouchedFor = found.evidence.evidence.every((proof) => judge(proof, trusted).state === 'trusted');
  return {
    evidence: found.evidence,
    source: found.source,
    isApproved: found.isApproved || isVouchedFor,
    verify: (options) =>
      verifyTicket(ports, { ...options, ...found, judge: (proof) => judge(proof, trusted) }),
  };
}

function reservationsOf(repository: string, env: Place['env']): VerifyPorts['workplace'] {
  const reservations = new Reservations(join(cacheRoot(env), 'tickets'));
  return {
    reserve: (ticket) => reservations.of({ repository, ticket }),
    emptyProof: (ticket, options) => reservations.emptyProof({ repository, ticket }, options),
    release: (ticket) => reservations.release({ repository, ticket }),
  };
}

/** `baseBranch`: for this machine's tickets. */
type Found = Pick<Verifier, 'evidence' | 'source' | 'isApproved'> & { readonly baseBranch?: string };

function inFile(text: string, ticket: TicketId): Found {
  const evidence = parsed(text);
  if (evidence.ticket === ticket) return { evidence, source: 'file', isApproved: false };
  throw invalidInput('The evidence file', `it is about ${evidence.ticket}`);
}

async function inNotes(git: GitAdapter, ticket: TicketId): Promise<Found> {
  return { evidence: await evidenceInNotes(git, ticket), source: 'notes', isApproved: false };
}

async function inDatabase(commonDir: string, id: TicketId): Promise<Found | undefined> {
  if (!existsSync(join(commonDir, 'beadsmith', 'state.db'))) return undefined;
  const opened = await openStore({ commonDir, mode: 'follower', workerUrl: locations.storeWorker });
  const { store, mode } = opened;
  try {
    const ticket = await store?.ticket(id);
    if (!store || !ticket) return undefined;
    const evidence = await ticketEvidence(store, ticket);
    // A database that came with the repository has no approvals from here.
    const isOurs = mode !== 'readOnly';
    const base = isOurs && ticket.baseBranch !== null ? { baseBranch: ticket.baseBranch } : {};
    return evidence.evidence.length === 0
      ? undefined
      : { evidence, source: 'database', isApproved: isOurs, ...base };
  } finally {
    await opened.close();
  }
}

function parsed(text: string): TicketEvidence {
  try {
    const result = TicketEvidence.safeParse(JSON.parse(text));
    if (result.success) return result.data;
    throw invalidInput('The evidence file', z.prettifyError(result.error));
  } catch (error) {
    if (error instanceof BeadsmithError) throw error;
    throw invalidInput('The evidence file', 'it is not JSON');
  }
}

type TrustedKeys = ReadonlyMap<string, string>;

/** Judges who vouches for a proof, and whether it was changed after signing. */
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
 * The user's own key, their list (`trusted-keys` in the configuration folder), and the repository's keys:
 * those at the start of the ticket's branch that the base branch still has, because the branch itself proves
 * nothing.
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
  // In a clone of one branch it may be the ticket's own.
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
