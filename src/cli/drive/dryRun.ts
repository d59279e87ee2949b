import { resolve, join } from 'node:path';
import { GitAdapter } from '../../adapters/git/gitAdapter.ts';
import { CompletedTicketsFile } from '../../adapters/system/completedTicketsFile.ts';
import { configRoot } from '../../adapters/system/configRoot.ts';
import {
  callsOfBead,
  phasesThatAreOff,
  type PlannedCall,
  plannedPhases,
  type PlannedPhase,
} from '../../context/plannedPhases.ts';
import { estimateOf, type Range } from '../../domain/estimate/estimate.ts';
import { type Added, addedPriors } from '../../domain/estimate/reviewEstimate.ts';
import { type CommandContext, endCommand } from '../base/command.ts';
import type { ExitCode } from '../base/exitCodes.ts';
import { type Args, UsageError } from '../base/args.ts';
import { settingsOf } from '../options/settingsOptions.ts';
import { estimateText, rangeText } from '../../domain/estimate/estimateText.ts';
import { printable } from '../base/output.ts';
import { existsSync } from 'node:fs';
import { SqliteDatabase } from '../../adapters/store/sqlite/database.ts';
import { readPastCalls, readPastRuns } from '../../adapters/store/readHistory.ts';
import { readBeads, readUsage } from '../../adapters/store/reads.ts';
import { readTickets } from '../../adapters/store/tickets.ts';
import { completedTicket, type CompletedTicket } from '../../domain/estimate/completedTicket.ts';
import { roleOf } from '../../domain/workflow/roles.ts';
import { tokensOf } from '../../domain/usage/budgets.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';

export const dryRunOptions = {
  'dry-run': {
    about:
      'print the phases, the model calls with what each receives, and the estimate; writes nothing and calls no model',
  },
} as const;

/** Prints a new ticket's plan; writes nothing (docs/decisions/143-dry-run.md). Throws NOT_A_REPOSITORY. */
export async function dryRun(context: CommandContext, args: Args, title: string): Promise<ExitCode> {
  if (args.positionals.length > 0) throw new UsageError('--dry-run plans a new ticket; omit the ID.');
  const settings = settingsOf(args);
  const git = new GitAdapter({
    folder: resolve(context.cwd, args.text('repo') ?? '.'),
    environment: context.env,
  });
  const { commonDir } = await git.repository();
  const phases = plannedPhases(settings);
  const off = phasesThatAreOff(settings);
  const elsewhere = await new CompletedTicketsFile(configRoot(context.env), commonDir).elsewhere();
  const estimate = estimateOf(settings.depth, { here: readCompleted(commonDir), elsewhere });
  const added = addedPriors(settings);
  const eachBead = callsOfBead(phases);
  context.output.text(
    printable(
      planText({ title, phases, off, eachBead, estimate: [estimateText(estimate), ...addedLines(added)] }),
    ),
  );
  context.output.event({
    type: 'plan',
    title,
    depth: settings.depth,
    phases: phases.map((phase) => ({ ...phase, calls: phase.calls.map(toEvent), stages: [...phase.stages] })),
    off: [...off],
    callsOfBead: eachBead,
    estimate: { ...estimate },
    added: { bead: added.bead ?? null, ticket: added.ticket ?? null },
  });
  return endCommand(context);
}

function toEvent({
  slices,
  sections,
  ...call
}: PlannedCall): PlannedCall & { slices: string[]; sections: string[] } {
  return { ...call, slices: [...slices], sections: [...sections] };
}

/** ` × 3–18 (3 members, 1–6 rounds), each bead`, or nothing for one call. */
function timesText({ members, rounds, calls, per }: Omit<PlannedCall, 'slices' | 'sections'>): string {
  const times = calls.low === 1 && calls.high === 1 ? '' : ` × ${rangeText(calls)}`;
  const how =
    members.high > 1 && rounds.high > 1
      ? ` (${rangeText(members)} members, ${rangeText(rounds)} rounds)`
      : '';
  return `${times}${how}${{ ticket: '', bead: ', each bead', failure: ', after each failed iteration' }[per]}`;
}

function callsText(calls: Range): string {
  return `${rangeText(calls)} ${calls.low === 1 && calls.high === 1 ? 'call' : 'calls'}`;
}

function addedLines({ bead, ticket }: ReturnType<typeof addedPriors>): string[] {
  const line = (to: string, { calls, tokens }: Added): string =>
    `discussions and reviews add to ${to}: ${callsText(calls)}, ${rangeText(tokens)} tokens`;
  return [...(bead ? [line('each bead', bead)] : []), ...(ticket ? [line('the ticket', ticket)] : [])];
}

function stageLines({ stages }: PlannedPhase, calls: Range): string[] {
  const labels = stages.filter(({ on }) => on).map(({ label }) => label);
  return stages.length === 0
    ? []
    : [`    each bead: ${labels.join(', ')}, ${callsText(calls)} if nothing fails`];
}

interface Plan {
  readonly title: string;
  readonly phases: readonly PlannedPhase[];
  readonly off: readonly string[];
  readonly eachBead: Range;
  readonly estimate: readonly string[];
}

function planText({ title, phases, off, eachBead, estimate }: Plan): string {
  const lines = phases.flatMap((phase) => [
    `  ${phase.label}${phase.needsPerson ? ' (needs you)' : ''}`,
    ...stageLines(phase, eachBead),
    ...phase.calls.map(({ slices, sections, ...call }) => {
      const told = [...slices, ...sections.map((name) => `+${name}`)].join(', ');
      return `    call ${call.context}${timesText(call)}: ${told || 'nothing'}`;
    }),
  ]);
  return [
    `Plan for “${title}”. Nothing was written, and no model was called.`,
    ...lines,
    `Off: ${off.length === 0 ? 'nothing' : off.join(', ')}`,
    `Estimate: ${estimate.join('\n  ')}`,
  ].join('\n');
}

const newest = 20;

/** The newest completed tickets, read without a lock; none without a readable database. */
function readCompleted(commonDir: string): readonly CompletedTicket[] {
  const folder = join(commonDir, 'beadsmith');
  if (!existsSync(join(folder, 'state.db'))) return [];
  let database: SqliteDatabase | undefined;
  try {
    database = new SqliteDatabase(folder, { readOnly: true });
    return completedIn(database);
  } catch {
    return [];
  } finally {
    database?.close();
  }
}

function completedIn(database: SqliteDatabase): readonly CompletedTicket[] {
  const completed = readTickets(database).filter(({ status }) => roleOf(status) === 'completed');
  const latest = completed.toSorted((one, other) => other.updatedAt - one.updatedAt).slice(0, newest);
  return latest.flatMap(({ id, settings }) => {
    if (!settings) return [];
    const runs = readPastRuns(database, id).filter(({ parent }) => parent === null);
    const ticket = completedTicket({
      settings,
      beads: readBeads(database, id).length,
      calls: readPastCalls(database, id),
      usage: readUsage(database, id).map((one) => {
        return { call: one.call, tokens: tokensOf(one), cost: one.cost };
      }),
      runs: runs.map(({ status, startedAt }, place) => ({
        isWork: rowOf(status).kind === 'auto',
        startedAt,
        endedAt: runs[place + 1]?.startedAt ?? null,
      })),
    });
    return ticket ? [ticket] : [];
  });
}
