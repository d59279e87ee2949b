import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { systemClock } from '../../adapters/clock/systemClock.ts';
import { WorktreeFiles } from '../../adapters/files/ticketFiles.ts';
import { RemoteForges } from '../../adapters/forge/forges.ts';
import { CommandLineTokens } from '../../adapters/forge/tokens.ts';
import { GitAdapter } from '../../adapters/git/gitAdapter.ts';
import { Shell } from '../../adapters/process/shell.ts';
import { findSandbox } from '../../adapters/sandbox/findSandbox.ts';
import { openStore } from '../../adapters/store/openStore.ts';
import { cacheRoot } from '../../adapters/system/cacheRoot.ts';
import { configRoot } from '../../adapters/system/configRoot.ts';
import { repositoryFolders } from '../../adapters/system/programs.ts';
import { Reservations } from '../../adapters/workplace/reservations.ts';
import { BeadsmithError, invalidInput } from '../../domain/core/errors.ts';
import { type TicketId, ticketBranch } from '../../domain/core/ids.ts';
import { fullName } from '../../domain/forge/forgePlace.ts';
import type { PullRequestName } from '../../domain/forge/pullRequestName.ts';
import { noSandbox, type SandboxSetting } from '../../domain/environment/sandbox.ts';
import {
  TicketEvidence,
  type CommitEvidence,
  proofName,
  evidenceRef,
  readNote,
  sealed,
} from '../../domain/proof/commitEvidence.ts';
import type { Verifier, ProofSignature } from '../../protocol/verification/verification.ts';
import { TicketSandboxes, readTestsIn } from '../localPorts.ts';
import { locations } from '../locations.ts';
import { TextThread } from '../textThread.ts';
import { ticketEvidence } from '../../phases/shared/proof/ticketEvidence.ts';
import type { VerifyPorts } from './repeatProof.ts';
import { verifyTicket } from './verifyTicket.ts';
import { InstallationKey, isGenuine } from '../../adapters/keys/installationKey.ts';
import { keyIdOf, keysFile, readKeys, signedText } from '../../domain/proof/signature.ts';
import { because } from '../../domain/forge/forgeReasons.ts';
import type { Git } from '../../engine/ports/gitPort.ts';

interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sandbox: SandboxSetting;
  readonly sandboxHosts?: readonly string[];
  /** A ticket of the repository, or a pull request on its forge. */
  readonly of: TicketId | PullRequestName;
  /** Replaces the repository's evidence. */
  readonly file?: string;
}

/**
 * Finds evidence in the file, the database, notes, or the text of a pull request, whose commit is fetched.
 * Throws NOT_A_REPOSITORY, INVALID_INPUT for the file, NO_EVIDENCE, and the forge's errors.
 */
export async function openVerifier({
  folder,
  env,
  of,
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
    typeof of === 'string'
      ? file === undefined
        ? ((await inDatabase(commonDir, of)) ?? (await inNotes(git, of)))
        : inFile(file, of)
      : await inPullRequest({ git, env, root: repository.root }, of, file);
  const { ticket } = found.evidence;
  if (found.evidence.evidence.length === 0) throw new BeadsmithError('NO_EVIDENCE', { ticket });
  const trusted = await trustedKeys(git, configRoot(env), found.evidence, found.baseBranch);
  return {
    evidence: found.evidence,
    source: found.source,
    verify: (options) =>
      verifyTicket(ports, { ...found, ...options, judge: (proof) => judge(proof, trusted) }),
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

/**
 * `isApproved`: by this machine's own records. `baseBranch`: for its tickets. `revision`: the commit of a
 * pull request.
 */
type Found = Pick<Verifier, 'evidence' | 'source'> & {
  readonly isApproved: boolean;
  readonly baseBranch?: string;
  readonly revision?: string;
};

/** The commit is fetched from the repository that has the pull request, under no name. */
async function inPullRequest(
  { git, env, root }: { readonly git: GitAdapter; readonly env: Place['env']; readonly root: string },
  { number, repository }: PullRequestName,
  file: string | undefined,
): Promise<Found> {
  const tokens = new CommandLineTokens({ environment: env, inside: repositoryFolders(root) });
  const forge = await new RemoteForges(git, tokens).at(repository === undefined ? {} : { repository });
  const { base: place } = forge.place;
  if (repository !== undefined && fullName(place) !== repository)
    throw new BeadsmithError('FORGE_UNKNOWN', because('noRemoteToVerify', { repository }));
  const { commit, evidence } = await forge.evidence(number);
  if ((await git.resolve(commit)) === undefined) await git.fetchPull(place, number);
  if ((await git.resolve(commit)) === undefined)
    throw new BeadsmithError('REVISION_UNKNOWN', { revision: commit });
  const text = file ?? evidence;
  if (text === undefined)
    throw new BeadsmithError('NO_EVIDENCE', { ticket: `pull request ${String(number)}` });
  const source = file === undefined ? 'pull_request' : 'file';
  return { evidence: parsed(text, source), source, isApproved: false, revision: commit };
}

function inFile(text: string, ticket: TicketId): Found {
  const evidence = parsed(text, 'file');
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

function parsed(text: string, source: 'file' | 'pull_request'): TicketEvidence {
  const what = source === 'file' ? 'The evidence file' : 'The evidence in the pull request';
  try {
    const result = TicketEvidence.safeParse(JSON.parse(text));
    if (result.success) return result.data;
    throw invalidInput(what, z.prettifyError(result.error));
  } catch (error) {
    if (error instanceof BeadsmithError) throw error;
    throw invalidInput(what, 'it is not JSON');
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

/** From notes, which anyone with write access can write. */
export async function evidenceInNotes(git: Pick<Git, 'notes'>, ticket: TicketId): Promise<TicketEvidence> {
  const evidence = [...(await git.notes(evidenceRef)).values()]
    .flatMap(readNote)
    .filter((proof) => proof.ticket === ticket)
    .sort((a, b) => (a.proved_at < b.proved_at ? -1 : 1));
  return sealed({
    schema_version: 1,
    ticket,
    branch: null,
    base: { branch: null, commit: evidence[0]?.base ?? null },
    evidence,
  });
}
