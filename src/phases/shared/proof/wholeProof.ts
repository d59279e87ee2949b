import { FinalTestReport } from '../../../domain/beads/reports.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { newestArtifact, readJson } from '../ticket/artifacts.ts';
import { projectChecks } from './baseline.ts';
import { type Check, type Proof, proveCommit } from './cleanRoom.ts';

/**
 * Everything that the whole ticket has to pass: the commands of the final test, those of every bead that is
 * done, and the project's checks.
 */
export async function wholeChecks(
  io: StepIo,
  ticket: TicketSnapshot,
  own: readonly string[],
): Promise<readonly Check[]> {
  const plan = await io.ports.store.beads(ticket.id);
  const beads = plan.filter(({ status }) => status === 'done').flatMap(({ testCommands }) => testCommands);
  const commands = [...own, ...new Set(beads.filter((command) => !own.includes(command)))];
  return [
    ...commands.map((command) => ({ kind: 'test', command, strict: true }) as const),
    ...(await projectChecks(io)).map((check) => ({ ...check, strict: false })),
  ];
}

/**
 * Proves a commit as the final test proves the ticket (docs/decisions/033-final-test.md). Ends at the first
 * command that fails in something new.
 */
export async function proveWhole(
  io: StepIo,
  ticket: TicketSnapshot,
  commit: string,
  limits: Run['limits'],
): Promise<Proof> {
  const report = readJson(FinalTestReport, (await newestArtifact(io, 'final_test_report'))?.content);
  const checks = await wholeChecks(io, ticket, report?.attempts.at(-1)?.commands ?? []);
  return proveCommit(io, ticket, { commit, limits, cold: true }, checks);
}
