import type { CheckKind } from '../../../domain/proof/baseline.ts';
import { FinalTestReport } from '../../../domain/reports.ts';
import type { TicketSnapshot } from '../../../domain/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { newestArtifact, readJson } from '../artifacts.ts';
import { projectChecks } from './baseline.ts';
import { CleanRoom, type Proof } from './cleanRoom.ts';

/** A command that a commit has to pass. `strict`: unless its output names the tests that fail on the base as well. */
interface Check {
  readonly kind: CheckKind;
  readonly command: string;
  readonly strict: boolean;
}

/** Everything that the whole ticket has to pass: the commands of the final test, those of every bead, and the project's checks. */
export async function wholeChecks(io: StepIo, ticket: TicketSnapshot, own: readonly string[]): Promise<readonly Check[]> {
  const beads = (await io.ports.store.beads(ticket.id)).flatMap(({ testCommands }) => testCommands);
  const commands = [...own, ...new Set(beads.filter((command) => !own.includes(command)))];
  return [
    ...commands.map((command) => ({ kind: 'test', command, strict: true }) as const),
    ...(await projectChecks(io)).map((check) => ({ ...check, strict: false })),
  ];
}

/** Proves a commit as the final test proves the ticket (docs/decisions/033-final-test.md). Ends at the first command that fails in something new. */
export async function proveWhole(io: StepIo, ticket: TicketSnapshot, commit: string, limits: Run['limits']): Promise<Proof> {
  const report = readJson(FinalTestReport, (await newestArtifact(io, 'final_test_report'))?.content);
  const room = new CleanRoom(io, ticket, { commit, limits, cold: true });
  for (const check of await wholeChecks(io, ticket, report?.attempts.at(-1)?.commands ?? [])) if (!(await room.check(check))) break;
  return room.proof();
}
