import type * as z from 'zod';
import type { Evidence } from '../../domain/evidence.ts';
import type { FinalTestCommands } from '../../domain/reports.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { FileChange } from '../../engine/ports/ports.ts';
import type { Run } from '../../engine/run/run.ts';
import { selectPaths } from '../shared/commit.ts';
import { Candidate, makeCandidate } from '../shared/proof/candidate.ts';
import { CleanRoom, Proof } from '../shared/proof/cleanRoom.ts';
import { wholeChecks } from '../shared/proof/wholeProof.ts';

/** What an attempt at the final test came to. `own`: the evidence of its own commands; `whole`: of everything else that has to pass. */
export interface FinalProof extends Candidate {
  readonly own: readonly Evidence[];
  readonly whole: readonly Evidence[];
}

/**
 * Proves the whole ticket in a clean room (docs/decisions/033-final-test.md): the commands of the final test, then those of every bead and the project's
 * checks. Only declared files and changes of tracked ones are in the commit.
 */
export async function proveFinalTest(
  run: Run,
  ticket: TicketSnapshot,
  { number, start, answer }: { readonly number: number; readonly start: string; readonly answer: z.infer<typeof FinalTestCommands> },
): Promise<FinalProof> {
  const { commands } = answer;
  const wanted = [...answer.test_files, ...answer.modified_files];
  const candidate = await run.step(`candidate:${number}`, Candidate, async (io) => {
    const select = await selectPaths(io, { wanted });
    return makeCandidate(io, ticket, {
      start,
      name: 'final-test',
      message: `test(${ticket.id}): final test`,
      trailers: { Ticket: ticket.id, Step: 'final-test' },
      select: (changes) => {
        const { paths, leftOut, doubtful } = select(changes);
        const undeclared = new Set(changes.filter((change) => isUndeclared(change, wanted)).map(({ path }) => path));
        const isDeclared = (path: string) => !undeclared.has(path);
        return { paths: paths.filter(isDeclared), leftOut: [...leftOut, ...paths.filter((path) => undeclared.has(path))], doubtful };
      },
    });
  });
  const { evidence } = await run.step(`run:${number}`, Proof, async (io) => {
    const room = new CleanRoom(io, ticket, { commit: candidate.commit ?? start, limits: run.limits });
    for (const check of await wholeChecks(io, ticket, commands)) if (!(await room.check(check))) break;
    return room.proof();
  });
  return { ...candidate, own: evidence.slice(0, commands.length), whole: evidence.slice(commands.length) };
}

function isUndeclared({ path, state }: FileChange, wanted: readonly string[]): boolean {
  return state === 'untracked' && !wanted.some((place) => path === place || path.startsWith(`${place}/`));
}
