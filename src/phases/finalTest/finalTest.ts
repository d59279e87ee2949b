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
import { settleEdits, uncommittedPaths } from '../shared/proof/personEdits.ts';
import { remakeAndPrepare } from '../shared/worktree/bootstrap.ts';
import { resetAttempt } from '../shared/worktree/worktree.ts';
import { commitFinalTest } from './commitFinalTest.ts';
import { type FinalProof, proveFinalTest } from './proveFinalTest.ts';

type Attempt = FinalTestReport['attempts'][number];
const Start = z.object({ commit: CommitSha, notes: z.array(z.string()) });

/** The input of an attempt: notes of earlier attempts, and context from people. */
interface Known {
  readonly notes: readonly string[];
  readonly told: readonly Section[];
  /** The commands that are known already; then no agent is asked. */
  readonly known?: z.infer<typeof FinalTestCommands>;
}

/** The result of an attempt. `problem` is empty if every command passed. */
interface Tried {
  readonly attempt: Attempt;
  readonly answer: z.infer<typeof FinalTestCommands> | null;
  readonly proof: FinalProof | null;
  readonly problem: string;
  /** The reason why it failed, in the words of the closed table; null if it passed. */
  readonly failure: Failure | null;
}

/**
 * Tests the ticket as a whole (docs/decisions/033-final-test.md): the agent writes the test, the engine runs
 * its commands. A failed attempt leaves a note and no change; after the last one FINAL_TEST_FAILED is thrown.
 * Of a loop the engine runs the commands that it has, once (docs/decisions/142-loops.md).
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
      const tried = await tryOnce(run, ticket, number, start.commit, {
        notes,
        told,
        ...(known ? { known } : {}),
      });
      attempts.push(tried.attempt);
      if (tried.answer && tried.proof && tried.problem === '') {
        await commitFinalTest(run, ticket, start.commit, tried.proof, number);
        const { commit, whole } = tried.proof;
        await report(run, ticket, {
          schema_version: 1,
          attempts,
          passed: true,
          commit,
          regression: [...whole],
          summary: tried.answer.summary,
        });
        return { exit: settings.manualQaEnabled ? 'passed_qa' : 'passed' };
      }
      last = tried;
      // Without an agent another attempt would give the same result.
      if (known) break;
      notes.push(await giveUp(run, ticket, start.commit, number, tried, notes));
    }
    const { problem, failure: why } = last;
    await report(run, ticket, {
      schema_version: 1,
      attempts,
      passed: false,
      commit: null,
      regression: [],
      summary: problem,
    });
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
    return {
      attempt,
      answer: null,
      proof: null,
      problem: error.message,
      failure: callFailure(error, run.limits),
    };
  }
  const proof = await proveFinalTest(run, ticket, { number, start, answer });
  const evidence = [...proof.own, ...proof.whole];
  const problem = describeFailures(evidence) || proof.unproved;
  const attempt = { number, commands: answer.commands, evidence: [...proof.own], passed: problem === '' };
  return {
    attempt,
    answer,
    proof,
    problem,
    failure: problem === '' ? null : whyFailed(failuresOf(evidence)[0], proof),
  };
}

/**
 * The commands of the beads, which the engine proved them by. A loop without any has only the project's
 * checks.
 */
async function ownCommands(run: Run, ticket: TicketSnapshot): Promise<z.infer<typeof FinalTestCommands>> {
  const commands = await run.record('own-commands', z.array(z.string()), async (io) => {
    const beads = await io.ports.store.beads(ticket.id);
    return [...new Set(beads.flatMap(({ testCommands }) => testCommands))];
  });
  return {
    commands,
    test_files: [],
    modified_files: [],
    summary: 'The commands of the loop, run again on the whole.',
  };
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
  const trace = await run.step(`end:${number}`, CallTrace, (io) =>
    endSessions(io, (session) => session.run === run.runId && session.step === `test:${number}`),
  );
  const note = await failureNote(run, ticket, {
    key: `note:${number}`,
    contextKey: 'final_test_note',
    prompt: 'final-test-note',
    state: { errorContext: errorContext(problem, trace) },
    fallback: fallbackNote('The ticket was to be tested as a whole.', problem, trace),
  });
  await run.step(`reset:${number}`, z.null(), async (io) => {
    const ref = await resetAttempt(io, ticket, start, `final-test-${ticket.attempt}-${number}`);
    await keepFailure(io, ticket, 'final_test_failures', {
      iteration: number,
      interrupted: false,
      failure: why,
      note,
      ref,
    });
    io.save(artifactChange(ticket, 'final_test_notes', [...notes, note]));
    return null;
  });
  return note;
}

async function report(run: Run, ticket: TicketSnapshot, content: FinalTestReport): Promise<void> {
  await run.record('report', z.null(), (io) => {
    io.save(artifactChange(ticket, 'final_test_report', FinalTestReport.parse(content)));
    return Promise.resolve(null);
  });
}
