import * as z from 'zod';
import type { Bead } from '../../domain/beads/bead.ts';
import { BeadsmithError } from '../../domain/errors.ts';
import { Evidence } from '../../domain/evidence.ts';
import { CommitSha } from '../../domain/ids.ts';
import { timeoutMs } from '../../domain/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Run } from '../../engine/run/run.ts';
import { ticketParts } from '../shared/ask/ticketParts.ts';
import { activeMs, failuresOf, runCommands } from '../shared/commands.ts';
import { selectPaths } from '../shared/commit.ts';
import { openScratch } from '../shared/scratch.ts';

/** A bead's commit before it is on the branch. `commit`: null if nothing changed; then the bead's start is proved. */
const Candidate = z.object({
  commit: CommitSha.nullable(),
  leftOut: z.array(z.string()),
  /** Paths of `leftOut` that may be sources: the proof decides. */
  doubtful: z.array(z.string()),
  /** Everything that was in the worktree at that moment, left out or not. */
  tree: CommitSha,
});
type Candidate = z.infer<typeof Candidate>;

/** `made`: paths that the commands wrote and the candidate doesn't have. */
const Proof = z.object({ evidence: z.array(Evidence), made: z.array(z.string()) });
type Proof = z.infer<typeof Proof>;

/** A candidate and what was seen of it. */
export interface Proved extends Candidate {
  readonly evidence: readonly Evidence[];
}

/**
 * Makes the commit that the bead would get, and proves it where nothing else lies (docs/decisions/048-clean-room-proof.md). The tree is taken before
 * the tests run, so nothing that they write is committed. A file whose name alone looks generated is left out first. If that leaves nothing to
 * commit, or the proof fails and the commands didn't make the file themselves, then it is a source: it joins the candidate, which is proved again.
 */
export async function proveCandidate(run: Run, ticket: TicketSnapshot, bead: Bead): Promise<Proved> {
  const first = await makeCandidate(run, ticket, bead, 'candidate', []);
  const seen = await prove(run, ticket, bead, first, 'proof');
  const sources = first.doubtful.filter((path) => !seen.made.some((made) => path === made || path.startsWith(`${made}/`)));
  const isEnough = first.commit !== null && failuresOf(seen.evidence).length === 0;
  if (sources.length === 0 || isEnough) return { ...first, evidence: seen.evidence };
  const second = await makeCandidate(run, ticket, bead, 'candidate-whole', sources);
  const { evidence } = await prove(run, ticket, bead, second, 'proof-whole');
  return { ...second, evidence };
}

function makeCandidate(run: Run, ticket: TicketSnapshot, bead: Bead, key: string, sources: readonly string[]): Promise<Candidate> {
  const { worktree } = ticketParts(ticket);
  const start = startOf(bead);
  return run.step(key, Candidate, async (io): Promise<Candidate> => {
    const { git } = io.ports;
    await io.fence();
    await git.unfold(worktree, start);
    const select = await selectPaths(io, { wanted: [...bead.targetFiles, ...sources] });
    const { paths, leftOut, doubtful } = select(await git.status(worktree));
    const commit = await git.candidate(worktree, {
      start,
      paths,
      message: `bead(${bead.id}): ${bead.title}`,
      trailers: beadTrailers(ticket, bead),
      ref: `refs/beadsmith/${ticket.id}/candidate/${bead.id}`,
    });
    return { commit, leftOut: [...leftOut], doubtful: [...doubtful], tree: await git.writeTree(worktree) };
  });
}

function prove(run: Run, ticket: TicketSnapshot, bead: Bead, candidate: Candidate, key: string): Promise<Proof> {
  const whole = timeoutMs(run.limits.perIterationTimeout);
  const commands = bead.testCommands;
  return run.step(
    key,
    Proof,
    async (io): Promise<Proof> => {
      const budgetMs = whole - (await activeMs(io, run.runId));
      const scratch = await openScratch(io, ticket, candidate.commit ?? startOf(bead), run.limits);
      if (scratch.failed.length > 0) return { evidence: [...scratch.failed], made: [] };
      const { path: cwd, wrapper } = scratch;
      const evidence = await runCommands(io, ticket, { commands, wrapper, limits: run.limits, budgetMs, cwd });
      const { changes, ignored } = await io.ports.git.scratchChanges(ticket.id);
      return { evidence, made: [...changes.map(({ path }) => path), ...ignored] };
    },
    // Each command has its own limit; this one only makes the engine count the time.
    { activeMs: (commands.length + 1) * timeoutMs(run.limits.commandTimeout) },
  );
}

/** What a bead's commit is found again by. */
export function beadTrailers(ticket: TicketSnapshot, bead: Bead): Readonly<Record<string, string>> {
  return { Ticket: ticket.id, Bead: bead.id, Iteration: String(bead.iteration) };
}

/** The commit that the bead's work began at. */
export function startOf(bead: Bead): string {
  if (bead.beadStartCommit !== null) return bead.beadStartCommit;
  throw new BeadsmithError('UNEXPECTED', { reason: `bead ${bead.id} has no start commit` });
}
