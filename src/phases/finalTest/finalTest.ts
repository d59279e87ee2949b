import * as z from 'zod';
import type { Section } from '../../context/sections.ts';
import { commandFailure, type Failure, failure, failureText } from '../../domain/beads/failure.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { Evidence } from '../../domain/core/evidence.ts';
import { CommitSha } from '../../domain/core/ids.ts';
import { FinalTestCommands, FinalTestReport } from '../../domain/beads/reports.ts';
import { attemptsOf, timeoutMs } from '../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { HandlerDefinition, Run } from '../../engine/run/run.ts';
import { artifactChange, readNotes } from '../shared/ticket/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { callFailure } from '../shared/ask/callFailure.ts';
import { failedCall, isFailureOf } from '../shared/ask/providerError.ts';
import { endStraySessions } from '../shared/ask/sessionNotes.ts';
import { takeUserContext, ticketParts } from '../shared/ticket/ticketParts.ts';
import { describeFailures, failuresOf } from '../shared/worktree/commands.ts';
import { errorContext, fallbackNote, failureNote, keepFailure } from '../shared/failureNote.ts';
import { CallTrace, endSessions, prepareSession } from '../shared/worktree/sessions.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { settleBranch } from '../shared/worktree/branchTip.ts';
import { settleEdits, uncommittedPaths, editsBeside } from '../shared/proof/personEdits.ts';
import { remakeAndPrepare } from '../shared/worktree/bootstrap.ts';
import { resetAttempt, statusRef } from '../shared/worktree/worktree.ts';
import { type FinalProof, proveFinalTest, testSession } from './proveFinalTest.ts';
import { provedCommand } from '../../domain/proof/provedCommand.ts';
import { adoptCandidate } from '../shared/proof/candidate.ts';
import { saveEvidence } from '../shared/proof/saveEvidence.ts';

type Attempt = FinalTestReport['attempts'][number];
const Start = z.object({ commit: CommitSha, notes: z.array(z.string()) });

interface Known {
  readonly notes: readonly string[];
  readonly told: readonly Section[];
  /** Commands that are known already; then no agent is asked. */
  readonly known: z.infer<typeof FinalTestCommands> | undefined;
}

/** `problem` is empty if every command passed. */
interface Tried {
  readonly attempt: Attempt;
  readonly answer: z.infer<typeof FinalTestCommands> | null;
  readonly proof: FinalProof | null;
  readonly problem: string;
  readonly failure: Failure | null;
}

/**
 * Tests the ticket as a whole (docs/decisions/033-final-test.md): the agent writes the test, the engine runs
 * its commands. Of a loop the engine runs its known commands, once (docs/decisions/142-loops.md). Throws
 * FINAL_TEST_FAILED.
 */
export const finalTest: HandlerDefinition<'passed' | 'passed_qa'> = {
  version: 3,
  run: async (run, ticket) => {
    const { settings, worktree } = ticketParts(ticket);
    const start = await run.step('start', Start, async (io) => {
      await endStraySessions(io, run.runId);
      await remakeAndPrepare(io, ticket, run.limits);
      await settleBranch(io, ticket);
      await settleEdits(io, ticket, await uncommittedPaths(io, ticket));
      const notes = readNotes((await io.ports.store.artifact(ticket.id, 'final_test_notes'))?.content);
      return { commit: await io.ports.git.head(worktree), notes };
    });
    const notes = [...start.notes];
    const known = settings.depth === 'loop' ? await ownCommands(run, ticket) : undefined;
    // Without a model nobody reads the context from people.
    const told = known ? [] : await takeUserContext(run, ticket);
    const attempts: Attempt[] = [];
    let last: Pick<Tried, 'problem' | 'failure'> = { problem: '', failure: null };
    for (let number = 1; number <= attemptsOf(run.limits); number += 1) {
      const tried = await tryOnce(run, ticket, number, start.commit, { notes, told, known });
      attempts.push(tried.attempt);
      if (tried.answer && tried.proof && tried.problem === '') {
        await commitFinalTest(run, ticket, start.commit, tried.proof, number);
        const { commit, whole } = tried.proof;
        const { summary } = tried.answer;
        await report(run, ticket, { attempts, passed: true, commit, regression: [...whole], summary });
        return { exit: settings.manualQaEnabled ? 'passed_qa' : 'passed' };
      }
      last = tried;
      // Without an agent another attempt would give the same result.
      if (known) break;
      notes.push(await giveUp(run, ticket, start.commit, number, tried, notes));
    }
    const { problem, failure: why } = last;
    await report(run, ticket, { attempts, passed: false, commit: null, regression: [], summary: problem });
    const said = why ? failureText(why) : { reason: problem };
    throw new BeadsmithError(
      'FINAL_TEST_FAILED',
      { attempts: attempts.length, ...said },
      { diagnostics: why ? { failure: why } : {} },
    );
  },
};

async function tryOnce(
  run: Run,
  ticket: TicketSnapshot,
  number: number,
  start: string,
  known: Known,
): Promise<Tried> {
  if (!known.known) await prepareSession(run, ticket, `prepare:${number}`);
  let answer: z.infer<typeof FinalTestCommands>;
  try {
    answer = known.known ?? (await write(run, ticket, number, known));
  } catch (error) {
    if (!isFailureOf(error, failedCall)) throw error;
    const attempt = { number, commands: [], evidence: [], passed: false };
    const why = callFailure(error, run.limits);
    return { attempt, answer: null, proof: null, problem: error.message, failure: why };
  }
  const proof = await proveFinalTest(run, ticket, { number, start, answer });
  const evidence = [...proof.own, ...proof.whole];
  const problem = describeFailures(evidence) || proof.unproved;
  const attempt = { number, commands: answer.commands, evidence: [...proof.own], passed: problem === '' };
  const why = problem === '' ? null : whyFailed(failuresOf(evidence)[0], proof);
  return { attempt, answer, proof, problem, failure: why };
}

/** The commands of the beads. A loop without any has only the project's checks. */
async function ownCommands(run: Run, ticket: TicketSnapshot): Promise<z.infer<typeof FinalTestCommands>> {
  const commands = await run.record('own-commands', z.array(z.string()), async (io) => {
    const beads = await io.ports.store.beads(ticket.id);
    return [...new Set(beads.flatMap(({ testCommands }) => testCommands))];
  });
  const summary = 'The commands of the loop, run again on the whole.';
  return { commands, test_files: [], modified_files: [], summary };
}

function whyFailed(
  failed: Evidence | undefined,
  { uncommittable, unproved, isWeaker, isGuarded }: FinalProof,
): Failure {
  if (failed) return commandFailure(failed);
  if (isWeaker) return failure('tests_weaker', {}, { about: unproved });
  const cause = uncommittable.length > 0 || isGuarded ? 'not_acceptable' : 'never_red';
  return failure(cause, { reason: unproved }, { about: unproved });
}

async function write(
  run: Run,
  ticket: TicketSnapshot,
  number: number,
  { notes, told }: Known,
): Promise<z.infer<typeof FinalTestCommands>> {
  const { value } = await ask(run, ticket, {
    key: `test:${number}`,
    contextKey: 'final_test',
    prompt: 'final-test',
    member: ticketParts(ticket).settings.mainImplementer,
    state: { finalTestNotes: notes },
    sections: told,
    parse: parseStructured({ tag: 'FINAL_TEST_COMMANDS', schema: FinalTestCommands }),
    result: FinalTestCommands,
    activeMs: timeoutMs(run.limits.perIterationTimeout),
  });
  return value;
}

async function giveUp(
  run: Run,
  ticket: TicketSnapshot,
  start: string,
  number: number,
  { problem, failure: why }: Pick<Tried, 'problem' | 'failure'>,
  notes: readonly string[],
): Promise<string> {
  const trace = await run.step(`end:${number}`, CallTrace, (io) => endSessions(io, testSession(run, number)));
  const note = await failureNote(run, ticket, {
    key: `note:${number}`,
    contextKey: 'final_test_note',
    prompt: 'final-test-note',
    state: { errorContext: errorContext(problem, trace) },
    fallback: fallbackNote('The ticket was to be tested as a whole.', problem, trace),
  });
  await run.step(`reset:${number}`, z.null(), async (io) => {
    const ref = await resetAttempt(io, ticket, start, `final-test-${ticket.attempt}-${number}`);
    const failed = { iteration: number, interrupted: false, failure: why, note, ref };
    await keepFailure(io, ticket, 'final_test_failures', failed);
    io.save(artifactChange(ticket, 'final_test_notes', [...notes, note]));
    return null;
  });
  return note;
}

async function report(
  run: Run,
  ticket: TicketSnapshot,
  content: Omit<FinalTestReport, 'schema_version'>,
): Promise<void> {
  await run.record('report', z.null(), (io) => {
    const whole = FinalTestReport.parse({ schema_version: 1, ...content });
    io.save(artifactChange(ticket, 'final_test_report', whole));
    return null;
  });
}

/** Gives the branch the proved final test. Undeclared files are kept under a ref, and removed. */
async function commitFinalTest(
  run: Run,
  ticket: TicketSnapshot,
  start: string,
  proof: FinalProof,
  number: number,
): Promise<void> {
  const { worktree } = ticketParts(ticket);
  const { commit, own, whole } = proof;
  await run.step('commit', z.null(), async (io) => {
    const about = { of: 'final_test', bead: null, iteration: number } as const;
    const commands = [...own, ...whole].map(provedCommand);
    await saveEvidence(io, ticket, { ...about, commit: commit ?? start, made: commit !== null, commands });
    await adoptCandidate(io, ticket, { commit, start, by: 'final_test' });
    return null;
  });
  await run.step('strays', z.array(z.string()), async (io) => {
    const { git } = io.ports;
    const left = await uncommittedPaths(io, ticket);
    const edits = await editsBeside(io, ticket, left, testSession(run, number));
    await settleEdits(io, ticket, edits);
    const strays = left.filter((path) => !edits.includes(path));
    if (strays.length === 0) return [];
    const ref = statusRef(ticket, `final-test-${ticket.attempt}-strays`);
    await git.keep(worktree, ref, `${ticket.id}: undeclared files`);
    await io.fence();
    await git.restore(worktree, strays);
    return [...strays];
  });
}
