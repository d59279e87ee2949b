import * as z from 'zod';
import { type Bead, reasonWithoutProof } from '../../domain/beads/bead.ts';
import type { Evidence } from '../../domain/core/evidence.ts';
import { WeakenedTests } from '../../domain/proof/weakening.ts';
import { RunWithout } from '../../domain/proof/withoutWork.ts';
import { cannotFail } from '../../domain/proof/cannotFail.ts';
import type { FinalTestCommands } from '../../domain/beads/reports.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { FileChange } from '../../engine/ports/ports.ts';
import type { SessionRow } from '../../engine/ports/storePort.ts';
import type { Run, StepIo } from '../../engine/run/run.ts';
import { storedJson } from '../shared/ticket/artifacts.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { failuresOf } from '../shared/worktree/commands.ts';
import { selectPaths } from '../shared/worktree/commit.ts';
import { Candidate, makeCandidate, rewrittenBy, uncommittableProblem } from '../shared/proof/candidate.ts';
import { Proof, proveCommit } from '../shared/proof/cleanRoom.ts';
import { guardCommit } from '../shared/proof/guardChanges.ts';
import { reviewTests, weakerProblem } from '../shared/proof/reviewTests.ts';
import { wholeChecks } from '../shared/proof/wholeProof.ts';
import { runWithoutWork } from '../shared/proof/withoutWork.ts';

/** `own`: the evidence of its own commands; `whole`: of everything else that has to pass. */
export interface FinalProof extends Candidate {
  readonly own: readonly Evidence[];
  readonly whole: readonly Evidence[];
  /** The problem besides failed commands, in words for the agent. */
  readonly unproved: string;
  readonly isWeaker: boolean;
  readonly isGuarded: boolean;
}

type FinalAnswer = z.infer<typeof FinalTestCommands>;
const no = z.boolean().default(false);
const Seen = z.object({ seen: RunWithout.nullable(), unproved: z.string(), isWeaker: no, isGuarded: no });
const fine = { isWeaker: false, isGuarded: false } as const;

/**
 * Proves the whole ticket in a clean room (docs/decisions/033-final-test.md). Only declared files and changes
 * of tracked ones are in the commit.
 */
export async function proveFinalTest(
  run: Run,
  ticket: TicketSnapshot,
  { number, start, answer }: Pick<FinalWork, 'number' | 'start'> & { readonly answer: FinalAnswer },
): Promise<FinalProof> {
  const { commands } = answer;
  const wanted = [...answer.test_files, ...answer.modified_files];
  const work = { number, start, wanted, commands };
  const first = await proveAs(run, ticket, work, '', []);
  const lost = uncommittableProblem(first.candidate);
  if (lost !== '') return { ...first.candidate, own: [], whole: [], unproved: lost, ...fine };
  const rewritten =
    failuresOf(first.proof.evidence).length === 0 ? rewrittenBy(first.candidate, first.proof, wanted) : [];
  const less = rewritten.length === 0 ? undefined : await proveAs(run, ticket, work, '-less', rewritten);
  const { candidate, proof } = less && failuresOf(less.proof.evidence).length === 0 ? less : first;
  const { evidence } = proof;
  const own = evidence.slice(0, commands.length);
  const whole = evidence.slice(commands.length);
  if (failuresOf(evidence).length > 0) return { ...candidate, own, whole, unproved: '', ...fine };
  if (commands.length > 0 && commands.every(cannotFail))
    return { ...candidate, own, whole, unproved: pointless(commands), ...fine };
  const { seen, ...said } = await run.step(`without:${number}`, Seen, async (io) => {
    const found = await seenOnBase(io, ticket, {
      commit: candidate.commit ?? start,
      passed: own,
      limits: run.limits,
      declared: answer.test_files,
    });
    if (found.unproved !== '') return { ...found, ...fine };
    const about = { name: 'final-test', title: 'The final test', start, commit: candidate.commit };
    const rest = { planned: [], evidence, others: [], limits: run.limits };
    const reviewed = await reviewTests(io, ticket, { ...about, ...rest });
    if (!reviewed.accepted) return { ...found, ...fine, unproved: weakerProblem(reviewed), isWeaker: true };
    const { commit: to } = candidate;
    const change = { name: 'final-test', from: start, planned: [] };
    const guarded = to === null ? '' : await guardCommit(io, ticket, { ...change, to });
    return { ...found, ...fine, unproved: guarded, isGuarded: guarded !== '' };
  });
  const marked = own.map((item) =>
    item.command === seen?.command
      ? { ...item, without: { tree: seen.tree, exitCode: seen.exitCode } }
      : item,
  );
  return { ...candidate, own: marked, whole, ...said };
}

function pointless(commands: readonly string[]): string {
  return `The final test can't fail: ${commands.map((command) => `\`${command}\``).join(', ')}. Name commands that fail where the ticket's work is missing.`;
}

interface FinalWork {
  readonly number: number;
  readonly start: string;
  readonly wanted: readonly string[];
  readonly commands: readonly string[];
}

/** The commit without what the commands write again (`rewritten`), and what was seen of it. */
async function proveAs(
  run: Run,
  ticket: TicketSnapshot,
  work: FinalWork,
  suffix: string,
  rewritten: readonly string[],
) {
  const { number, start, wanted, commands } = work;
  const candidate = await run.step(`candidate${suffix}:${number}`, Candidate, async (io) => {
    const select = await selectPaths(io, { wanted, rewritten });
    return makeCandidate(io, ticket, {
      start,
      name: 'final-test',
      message: `test(${ticket.id}): final test`,
      trailers: { Ticket: ticket.id, Step: 'final-test' },
      belongs: testSession(run, number),
      select: (changes) => {
        const { paths, leftOut, doubtful } = select(changes);
        const undeclared = new Set(
          changes.filter((change) => isUndeclared(change, wanted)).map(({ path }) => path),
        );
        const isDeclared = (path: string) => !undeclared.has(path);
        return {
          paths: paths.filter(isDeclared),
          leftOut: [...leftOut, ...paths.filter((path) => undeclared.has(path))],
          doubtful,
        };
      },
    });
  });
  if (candidate.uncommittable.length > 0) return { candidate, proof: { evidence: [], made: [] } };
  const proof = await run.step(`run${suffix}:${number}`, Proof, async (io) => {
    const checks = await wholeChecks(io, ticket, commands);
    const commit = candidate.commit ?? start;
    return proveCommit(io, ticket, { commit, limits: run.limits, cold: true }, checks);
  });
  return { candidate, proof };
}

export function testSession(run: Run, number: number): (session: SessionRow) => boolean {
  return (session) => session.run === run.runId && session.step === `test:${String(number)}`;
}

/** Requires a failure on the base, unless nothing can fail for any bead (docs/decisions/051-red-first.md). */
async function seenOnBase(
  io: StepIo,
  ticket: TicketSnapshot,
  work: Omit<Parameters<typeof runWithoutWork>[2], 'start'>,
): Promise<Pick<z.infer<typeof Seen>, 'seen' | 'unproved'>> {
  const { store, git } = io.ports;
  const beads = await store.beads(ticket.id);
  const exempt = await Promise.all(beads.map((bead) => isExempt(io, bead)));
  const start = ticket.baseCommit ?? (await git.resolve(ticketParts(ticket).baseBranch));
  if (exempt.every(Boolean) || start === undefined) return { seen: null, unproved: '' };
  const { seen, tests } = await runWithoutWork(io, ticket, { ...work, start });
  if (seen) return { seen, unproved: '' };
  const commands = work.passed.map(({ command }) => `\`${command}\``).join(', ');
  const withTests =
    tests.length === 0 ? '' : `, with the tests of the ticket (${tests.slice(0, 20).join(', ')}),`;
  return {
    seen: null,
    unproved: `The final test would pass without this ticket: on its base${withTests} the commands pass as well: ${commands}. Name commands that run a test which fails there.`,
  };
}

async function isExempt(io: StepIo, bead: Bead): Promise<boolean> {
  if (reasonWithoutProof(bead) !== '') return true;
  const receipt = await storedJson(io, `weakened_tests_receipt:${bead.id}`, WeakenedTests);
  return receipt?.weakenings.some(({ kind }) => kind === 'unproved') ?? false;
}

function isUndeclared({ path, state }: FileChange, wanted: readonly string[]): boolean {
  return state === 'untracked' && !wanted.some((place) => path === place || path.startsWith(`${place}/`));
}
