import { redact } from '../../../base/redact.ts';
import { type Evidence, passed } from '../../../domain/core/evidence.ts';
import {
  CommitEvidence,
  evidenceRef,
  noteWith,
  proofKey,
  readNote,
} from '../../../domain/proof/commitEvidence.ts';
import { signedText } from '../../../domain/proof/signature.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { artifactChange, isoNow } from '../ticket/artifacts.ts';
import { nothingAllowed, profileOf, secretsOf } from '../worktree/runtime.ts';

type ProvedWork = Pick<CommitEvidence, 'of' | 'bead' | 'iteration' | 'commit' | 'made' | 'commands'>;

/** An artifact and a git note (docs/decisions/060-evidence-travels-with-the-commit.md). Throws GIT_FAILED. */
export async function saveEvidence(io: StepIo, ticket: TicketSnapshot, work: ProvedWork): Promise<void> {
  const { git } = io.ports;
  const profile = await profileOf(io);
  const note = await git.readNote(evidenceRef, work.commit);
  const record: CommitEvidence = {
    schema_version: 1,
    ticket: ticket.id,
    ...work,
    tree: await git.treeOf(work.commit),
    environment: {
      bootstrap: [...(profile?.bootstrap_commands ?? [])],
      ...(profile && profile.services.length > 0 ? { services: profile.services } : {}),
      path_prepend: [...(profile?.environment.path_prepend ?? [])],
      passed: secretsOf(profile ?? nothingAllowed).variables.slice(),
      ...shownVariables(profile?.environment.variables ?? {}),
    },
    tools: { git: await git.version(), ...toolsOf(profile?.probes ?? []) },
    base: ticket.baseCommit,
    proved_at: isoNow(io),
  };
  // A repeated step proves nothing new.
  const before = readNote(note).find((one) => proofKey(one) === proofKey(record));
  const isSame =
    before !== undefined && signedText({ ...record, proved_at: before.proved_at }) === signedText(before);
  const proof = isSame ? before : await signed(io, CommitEvidence.parse(record));
  io.save(artifactChange(ticket, `commit_evidence:${work.bead ?? work.of}`, proof));
  await io.fence();
  await git.writeNote(evidenceRef, work.commit, noteWith(note, proof));
}

async function signed(io: StepIo, proof: CommitEvidence): Promise<CommitEvidence> {
  const signature = await io.ports.signer.sign(signedText(proof));
  return signature ? { ...proof, signature } : proof;
}

function toolsOf(probes: readonly Evidence[]): Record<string, string> {
  const told = probes.flatMap((probe) => {
    const line = probe.head.trim();
    const isVersion =
      passed(probe) &&
      /\b(?:--version|-version|-V|version)$/.test(probe.command) &&
      !line.includes('\n') &&
      line.length <= 100;
    return isVersion ? [[probe.command, redact(line)] as const] : [];
  });
  return Object.fromEntries(told);
}

/** Variables to show to everyone with the commit, and the names of the others. */
function shownVariables(
  variables: Readonly<Record<string, string>>,
): Pick<CommitEvidence['environment'], 'variables' | 'withheld'> {
  const entries = Object.entries(variables);
  const isSecret = ([name, value]: readonly [string, string]) =>
    redact(`${name}=${value}`) !== `${name}=${value}`;
  return {
    variables: Object.fromEntries(entries.filter((entry) => !isSecret(entry))),
    withheld: entries.filter(isSecret).map(([name]) => name),
  };
}
