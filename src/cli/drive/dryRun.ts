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
import { openStore } from '../../adapters/store/openStore.ts';
import { locations } from '../../app/locations.ts';
import { readingClient } from '../../app/readingClient.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { CompletedTickets } from '../../domain/estimate/completedTicket.ts';
import { readCompleted } from '../../protocol/estimates.ts';

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
  const others = new CompletedTicketsFile(configRoot(context.env), commonDir);
  const estimate = estimateOf(settings.depth, await readHistory(commonDir, others));
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
    phases,
    off,
    callsOfBead: eachBead,
    estimate,
    added,
  });
  return endCommand(context);
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

/** Nothing is known here without a readable database. */
async function readHistory(commonDir: string, others: CompletedTicketsFile): Promise<CompletedTickets> {
  const nothing = { here: [], elsewhere: await others.elsewhere() };
  const stateFolder = join(commonDir, 'beadsmith');
  if (!existsSync(join(stateFolder, 'state.db'))) return nothing;
  const opened = await openStore({ commonDir, mode: 'reader', workerUrl: locations.storeWorker });
  const { store } = opened;
  const repository = { root: commonDir, name: '', mode: 'readOnly', reason: '' } as const;
  const elsewhere = () => Promise.resolve(nothing.elsewhere);
  const refuse = () =>
    Promise.reject(new BeadsmithError('DATABASE_READ_ONLY', { reason: 'this only plans' }));
  try {
    if (!store) return nothing;
    return await readCompleted(readingClient({ store, repository, stateFolder, elsewhere }, refuse));
  } catch {
    return nothing;
  } finally {
    await opened.close();
  }
}
