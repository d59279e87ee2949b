import type { Bead } from '../../../domain/beads/bead.ts';
import { beadSubject, CommitConvention } from '../../../domain/environment/commitConvention.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { Evidence } from '../../../domain/core/evidence.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { readJson } from '../../shared/ticket/artifacts.ts';
import { failuresOf } from '../../shared/worktree/commands.ts';
import { selectPaths } from '../../shared/worktree/commit.ts';
import { Candidate, makeCandidate, rewrittenBy } from '../../shared/proof/candidate.ts';
import { Proof, type Check, proveCommit } from '../../shared/proof/cleanRoom.ts';
import { projectChecks } from '../../shared/proof/baseline.ts';
import { BeadCommit } from '../../../domain/beads/reports.ts';
import { stemOf } from '../context/sourceNames.ts';
import { ofIteration } from './changeBead.ts';

/** A candidate and what was seen of it. */
export interface Proved extends Candidate {
  readonly evidence: readonly Evidence[];
  /** Paths that the worktree has, and the scratch worktree didn't. */
  readonly absent: readonly string[];
}

/**
 * Makes the commit that the bead would get, and proves it where nothing else lies
 * (docs/decisions/048-clean-room-proof.md). The tree is taken before the tests run, so nothing that they
 * write is committed. A file whose name alone looks generated is left out first. If that leaves nothing to
 * commit, or the proof fails and the commands didn't make the file themselves, then it is a source: it joins
 * the candidate, which is proved again. A tracked file that the commands write again although the candidate
 * has it is theirs, unless the proof fails without its change.
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

/** The paths that neither the bootstrap nor the commands made in the scratch worktree. */
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
    const convention = readJson(
      CommitConvention,
      (await io.ports.store.artifact(ticket.id, 'commit_convention'))?.content,
    );
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

/** The commit that the bead's work began at. */
export function startOf(bead: Bead): string {
  if (bead.beadStartCommit !== null) return bead.beadStartCommit;
  throw new BeadsmithError('UNEXPECTED', { reason: `bead ${bead.id} has no start commit` });
}

/**
 * Runs in the scratch worktree what a commit has to pass (docs/decisions/048-clean-room-proof.md): the bead's
 * commands, the project's checks, and the commands of earlier beads that the commit may have broken. Ends at
 * the first one that fails in something new.
 */
function prove(run: Run, ticket: TicketSnapshot, bead: Bead, commit: string, key: string): Promise<Proof> {
  // Each command has a limit of its own. The step has none: what checks take isn't taken from the agent's
  // time.
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

/**
 * The commands of earlier beads that a commit may have broken: of beads whose files it changes, or that have
 * files which name a changed one. Each command once, in the order of the plan. Before delivery all of them
 * run.
 */
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
  const changed = (await git.compare(start, commit)).flatMap(({ path, oldPath }) =>
    oldPath === null ? [path] : [path, oldPath],
  );
  const earlier: { readonly files: readonly string[]; readonly commands: readonly string[] }[] = [];
  for (const { id, targetFiles, testCommands } of done) {
    const record = readJson(BeadCommit, (await store.artifact(ticket.id, `bead_commit:${id}`))?.content);
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
