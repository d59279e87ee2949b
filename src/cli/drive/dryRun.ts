import { resolve } from 'node:path';
import { GitAdapter } from '../../adapters/git/gitAdapter.ts';
import { readFinished } from '../../app/tickets/readHistory.ts';
import { phasesThatAreOff, type PlannedCall, plannedPhases, type PlannedPhase } from '../../context/plannedPhases.ts';
import { estimateOf } from '../../domain/estimate/estimate.ts';
import type { CommandContext } from '../command.ts';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import { type Args, UsageError } from '../options/args.ts';
import { settingsOf } from '../options/settingsOptions.ts';
import { estimateLine } from '../output/estimateText.ts';
import { printable } from '../output/output.ts';

/** The option of `run`. */
export const dryRunOptions = {
  'dry-run': {
    about: 'print the phases, the model calls with what each is told, and the estimate; nothing is written and no model is asked',
  },
} as const;

/**
 * Prints what a ticket with these options would go through (docs/decisions/143-dry-run.md). Writes nothing, files no ticket, opens no database for writing,
 * and starts no server. Throws NOT_A_REPOSITORY, UsageError without a model.
 */
export async function dryRun(context: CommandContext, args: Args, { title }: { readonly title: string }): Promise<ExitCode> {
  if (args.positionals.length > 0) throw new UsageError('--dry-run plans a new ticket; leave out the ID.');
  const settings = settingsOf(args);
  const git = new GitAdapter({ folder: resolve(context.cwd, args.text('repo') ?? '.'), environment: context.env });
  const { commonDir } = await git.repository();
  const phases = plannedPhases(settings);
  const off = phasesThatAreOff(settings);
  const estimate = estimateOf(settings.depth, readFinished(commonDir));
  context.output.text(printable(planText({ title, phases, off, estimate: estimateLine(estimate) })));
  context.output.event({
    type: 'plan',
    title,
    depth: settings.depth,
    phases: phases.map((phase) => ({ ...phase, calls: phase.calls.map(toEvent), stages: [...phase.stages] })),
    off: [...off],
    estimate: { ...estimate },
  });
  context.output.event({ type: 'end', exit: exitCodes.done, ticket: null, status: null });
  return exitCodes.done;
}

function toEvent({ slices, sections, ...call }: PlannedCall): PlannedCall & { slices: string[]; sections: string[] } {
  return { ...call, slices: [...slices], sections: [...sections] };
}

interface Plan {
  readonly title: string;
  readonly phases: readonly PlannedPhase[];
  readonly off: readonly string[];
  readonly estimate: string;
}

function planText({ title, phases, off, estimate }: Plan): string {
  const lines = phases.flatMap((phase) => [
    `  ${phase.label}${phase.needsPerson ? ' (needs you)' : ''}`,
    ...(phase.stages.length === 0
      ? []
      : [
          `    each bead: ${phase.stages
            .filter(({ on }) => on)
            .map(({ label }) => label)
            .join(', ')}`,
        ]),
    ...phase.calls.map(({ context, members, slices, sections }) => {
      const told = [...slices, ...sections.map((name) => `+${name}`)].join(', ');
      return `    call ${context}${members > 1 ? ` × ${String(members)}` : ''}: ${told || 'nothing'}`;
    }),
  ]);
  return [
    `Plan for “${title}”. Nothing was written, and no model was asked.`,
    ...lines,
    `Off: ${off.length === 0 ? 'nothing' : off.join(', ')}`,
    `Estimate: ${estimate}`,
  ].join('\n');
}
