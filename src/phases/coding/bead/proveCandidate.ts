import type { Bead } from '../../../domain/beads/bead.ts';
import { beadSubject, CommitConvention } from '../../../domain/environment/commitConvention.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { Evidence } from '../../../domain/core/evidence.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { storedJson } from '../../shared/ticket/artifacts.ts';
import { failuresOf } from '../../shared/worktree/commands.ts';
import { selectPaths } from '../../shared/worktree/commit.ts';
import { Candidate, makeCandidate, rewrittenBy } from '../../shared/proof/candidate.ts';
import { Proof, type Check, proveCommit } from '../../shared/proof/cleanRoom.ts';
import { projectChecks } from '../../shared/proof/baseline.ts';
import { BeadCommit } from '../../../domain/beads/reports.ts';
import { stemOf } from './beadContext.ts';
import { ofIteration } from './changeBead.ts';

export interface Proved extends Candidate {
  readonly evidence: readonly Evidence[];
  readonly absent: readonly string[];
}

/** The paths in which two commits differ, renamed files by both names. */
export async function changedPaths({ ports }: StepIo, from: string, to: string): Promise<string[]> {
  const changes = await ports.git.compare(from, to);
  return changes.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [path, oldPath]));
}

/**
 * Makes the commit that the bead would get, and proves it alone (docs/decisions/048-clean-room-proof.md). The
 * tree is taken before the tests run, so nothing that they write is committed. A file that looks generated
 * joins only if nothing else is left or the proof fails without it; a tracked file that the commands write
 * again is left out unless the proof fails then.
 */
export async function proveCandidate(run: Run, ticket: TicketSnapshot, bead: Bead): Promise<Proved> {
  const first = await candidateOf(run, ticket, bead, 'candidate');
  if (first.uncommittable.length > 0) return { ...first, evidence: [], absent: [] };
  const seen = await prove(run, ticket, bead, first.commit ?? startOf(bead), 'proof');
  const sources = withoutMade(first.doubtful, seen);
  const isEnough = first.commit !== null && failuresOf(seen.evidence).length === 0;
  if (sources.length > 0 && !isEnough) {
    const whole = await candidateOf(run, ticket, bead, 'candidate-whole', { sources });
    return provedAs(whole, await prove(run, ticket, bead, whole.commit ?? startOf(bead), 'proof-whole'));
  }
  const rewritten = isEnough ? rewrittenBy(first, seen, bead.targetFiles) : [];
  if (rewritten.length > 0) {
    const less = await candidateOf(run, ticket, bead, 'candidate-less', { rewritten });
    const again = await prove(run, ticket, bead, less.commit ?? startOf(bead), 'proof-less');
    if (failuresOf(again.evidence).length === 0) return provedAs(less, again);
  }
  return provedAs(first, seen);
}

function provedAs(candidate: Candidate, proof: Proof): Proved {
  return {
    ...candidate,
    evidence: proof.evidence,
    absent: withoutMade([...candidate.leftOut, ...candidate.ignored], proof),
  };
}

function withoutMade(paths: readonly string[], { made }: Proof): string[] {
  const all = new Set(made);
  return paths.filter(
    (path) => !path.split('/').some((_, depth, parts) => all.has(parts.slice(0, depth + 1).join('/'))),
  );
}

function candidateOf(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  key: string,
  { sources = [], rewritten = [] }: { sources?: readonly string[]; rewritten?: readonly string[] } = {},
): Promise<Candidate> {
  return run.step(key, Candidate, async (io) => {
    const convention = await storedJson(io, 'commit_convention', CommitConvention);
    return makeCandidate(io, ticket, {
      start: startOf(bead),
      name: bead.id,
      message: beadSubject(bead, convention?.style ?? 'plain'),
      trailers: { Ticket: ticket.id, Bead: bead.id, Iteration: String(bead.iteration) },
      select: await selectPaths(io, { wanted: [...bead.targetFiles, ...sources], rewritten }),
      belongs: ofIteration(bead),
    });
  });
}

export function startOf(bead: Bead): string {
  if (bead.beadStartCommit !== null) return bead.beadStartCommit;
  throw new BeadsmithError('UNEXPECTED', { reason: `bead ${bead.id} has no start commit` });
}

/** Runs the bead's commands, the project's checks, and the commands that the commit may have broken. */
function prove(run: Run, ticket: TicketSnapshot, bead: Bead, commit: string, key: string): Promise<Proof> {
  // The step has no limit of its own: what checks take isn't taken from the agent's time.
  return run.step(key, Proof, async (io): Promise<Proof> => {
    const own = bead.testCommands.map(
      (command) => ({ kind: 'test', command, strict: true, own: true }) as const,
    );
    const project = (await projectChecks(io)).map((check) => ({ ...check, strict: false, own: false }));
    const earlier = (await earlierCommands(io, ticket, bead, commit)).map(
      (command) => ({ kind: 'test', command, strict: true, own: false }) as const,
    );
    const checks: Check[] = [];
    for (const check of [...own, ...project, ...earlier]) {
      if (check.own || !checks.some(({ command }) => command === check.command)) checks.push(check);
    }
    return proveCommit(io, ticket, { commit, limits: run.limits }, checks);
  });
}

/** Commands of beads whose files the commit changes, or whose files name a changed one. */
async function earlierCommands(
  io: StepIo,
  ticket: TicketSnapshot,
  bead: Bead,
  commit: string,
): Promise<readonly string[]> {
  const { git, store } = io.ports;
  const start = bead.beadStartCommit ?? commit;
  const done = (await store.beads(ticket.id)).filter(({ id, status }) => id !== bead.id && status === 'done');
  if (commit === start || done.length === 0) return [];
  const changed = await changedPaths(io, start, commit);
  const earlier: { readonly files: readonly string[]; readonly commands: readonly string[] }[] = [];
  for (const { id, targetFiles, testCommands } of done) {
    const record = await storedJson(io, `bead_commit:${id}`, BeadCommit);
    // Asking git about each earlier bead would make every bead slower than the one before it.
    const made =
      record?.files ??
      (record?.commit ? (await git.compare(`${record.commit}^`, record.commit)).map(({ path }) => path) : []);
    earlier.push({ files: [...made, ...targetFiles], commands: testCommands });
  }
  const stems = changed.map(stemOf).filter((stem) => stem.length > 2);
  const files = [...new Set(earlier.flatMap((one) => one.files))];
  const touched = new Set([...changed, ...(await git.filesNaming(commit, stems, files))]);
  const commands = earlier
    .filter((one) => one.files.some((file) => touched.has(file)))
    .flatMap((one) => one.commands);
  return [...new Set(commands)];
}
