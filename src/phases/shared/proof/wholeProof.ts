import { FinalTestReport } from '../../../domain/beads/reports.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { newestJson } from '../ticket/artifacts.ts';
import { projectChecks } from './baseline.ts';
import { type Check, type Proof, proveCommit } from './cleanRoom.ts';

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

/** As the final test does (docs/decisions/033-final-test.md). */
export async function proveWhole(
  io: StepIo,
  ticket: TicketSnapshot,
  commit: string,
  limits: Run['limits'],
): Promise<Proof> {
  const report = await newestJson(io, 'final_test_report', FinalTestReport);
  const checks = await wholeChecks(io, ticket, report?.attempts.at(-1)?.commands ?? []);
  return proveCommit(io, ticket, { commit, limits, cold: true }, checks);
}
