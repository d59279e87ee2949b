import type { App } from '../../app/app.ts';
import { planSources, readSources } from '../../app/tickets/sourceReader.ts';
import { filled } from '../../domain/core/errors.ts';
import { issueName } from '../../domain/forge/issue.ts';
import { importFormats, type ImportedSource } from '../../domain/import/imported.ts';
import {
  importCounts,
  importEdit,
  importLabel,
  importTexts,
  isDue,
  type PlannedImport,
} from '../../domain/import/importPlan.ts';
import { type Args, UsageError } from '../base/args.ts';
import { type Command, type CommandContext, endCommand } from '../base/command.ts';
import { exitCodes } from '../base/exitCodes.ts';
import { oneLine, wholeText } from '../base/output.ts';
import { fileAction } from '../drive/driveToStop.ts';
import { askAPerson } from '../drive/gatePolicy.ts';
import { Session } from '../drive/session.ts';
import { ownOrTeam } from '../drive/team.ts';
import { ticketOptions } from '../options/options.ts';

const mostShown = 50;
const mostDiffLines = 60;
const { prefix } = ticketOptions;

/** Creates drafts of what people have elsewhere (docs/decisions/201-tickets-are-taken-in.md). */
export const importCommand: Command = {
  name: 'import',
  words: 'SOURCE…',
  about:
    'create drafts from Spec Kit, Kiro, Backlog.md, Task Master or bd, a GitHub issue (its address, owner/name#12 or #12), a Markdown file, or TODO comments; importing again updates them',
  takes: [1, 100],
  changes: 'always',
  instead: 'Import here with --team \'\'; "beadsmith move" hands a draft over.',
  options: {
    ...ownOrTeam,
    prefix,
    only: { value: 'ID', many: true, about: 'import only this ticket of the source; can be repeated' },
    todo: { about: 'import the TODO and FIXME comments of the files, or of all files of the folders' },
    'dry-run': { about: 'show what would be created or updated, and stop' },
    yes: { about: 'create and update without asking' },
  },
  run: async (context, args) => {
    const changed = await Session.open(context, args, async ({ app }) => {
      const source = await readAll(context, args, app);
      const plan = await planSources(app.client, source);
      say(context, args, source, plan);
      const due = plan.filter(isDue);
      if (due.length === 0 || args.flag('dry-run')) return [];
      if (!args.flag('yes') && (await context.confirm?.(`${importLabel(plan)}? [y/N] `)) !== true) {
        if (!context.confirm) throw new UsageError('Nothing was imported. To import it, add --yes.');
        context.output.text('Nothing was imported.');
        return [];
      }
      for (const { state, title, description, key, imported } of due)
        if (state === 'new') {
          const { priority, origin } = imported;
          const from = origin ? { origin } : {};
          const ticket = await app.client.create({ title, description, priority, key, ...from });
          context.output.event({
            type: 'created',
            ticket: ticket.id,
            title: ticket.title,
            status: ticket.status,
          });
        }
      return due.filter(({ state }) => state === 'changed');
    });
    let exit: 0 | 1 = exitCodes.done;
    for (const planned of changed) if (!(await update(context, args, planned))) exit = exitCodes.failed;
    return endCommand(context, {}, exit);
  },
};

async function readAll(context: CommandContext, args: Args, app: App): Promise<ImportedSource> {
  for (const word of args.positionals)
    if (/^https?:\/\//iu.test(word) && !issueName(word))
      throw new UsageError('The only addresses that import takes are those of GitHub issues.');
  const { root } = app.repository;
  const places = { root, folder: context.cwd, ports: app.ports };
  const source = await readSources(args.positionals, places, { comments: args.flag('todo') });
  const only = args.list('only');
  const { tickets } = source;
  const missing = only.find((one) => !tickets.some(({ id, path }) => id === one || path === one));
  if (missing !== undefined) throw new UsageError(`The source has no open ticket ${oneLine(missing, 100)}.`);
  return {
    ...source,
    tickets: tickets.filter(({ id, path }) => only.length === 0 || only.includes(id) || only.includes(path)),
  };
}

const marks = { new: '+', changed: '~', same: '=', started: '!' } as const;

function say(
  { output }: CommandContext,
  args: Args,
  { done, notUnderstood }: ImportedSource,
  plan: readonly PlannedImport[],
): void {
  for (const { state, ticket, title, imported, diff, description } of plan) {
    const { format, path, id } = imported;
    output.event({
      type: 'import',
      state,
      ticket,
      title,
      format,
      path,
      id,
      ...importCounts(imported),
      description,
      diff: [...diff],
    });
  }
  for (const one of notUnderstood) output.event({ type: 'not_understood', ...one });
  const shown = plan.slice(0, mostShown).map(planLine);
  const whole =
    plan.length === 1 && args.flag('dry-run') && plan[0]?.state === 'new' ? ['', plan[0].description] : [];
  const left = notUnderstood
    .slice(0, mostShown)
    .map(({ where, text }) => `  ${oneLine(where, 200)}: ${oneLine(text, 200)}`);
  output.text(
    [
      ...(plan.length === 0 ? [importTexts.nothing] : shown),
      ...(plan.length > mostShown ? [`  and ${String(plan.length - mostShown)} more`] : []),
      ...whole.map(wholeText),
      ...(done > 0 ? [filled(importTexts.done, { 0: done })] : []),
      ...(left.length > 0 ? ['Not understood:', ...left] : []),
      ...(notUnderstood.length > mostShown ? [`  and ${String(notUnderstood.length - mostShown)} more`] : []),
    ].join('\n'),
  );
}

function planLine({ state, ticket, title, imported, diff }: PlannedImport): string {
  const { format, path, id } = imported;
  const { requirements, tasks } = importCounts(imported);
  const from = `${importFormats[format]} ${oneLine(id === '' ? path : id, 80)}`;
  const said = {
    new: `${String(requirements)} requirements, ${String(tasks)} open tasks`,
    changed: `updates ${ticket ?? ''}`,
    same: `${ticket ?? ''} is up to date`,
    started: `${ticket ?? ''} has started, so it isn't changed`,
  }[state];
  const more =
    diff.length > mostDiffLines ? [`    and ${String(diff.length - mostDiffLines)} more lines`] : [];
  return [
    `${marks[state]} ${oneLine(title, 80)} (${from}: ${said})`,
    ...diff.slice(0, mostDiffLines).map((line) => `    ${oneLine(line, 160)}`),
    ...more,
  ].join('\n');
}

/** An edit of the version that was compared. */
async function update(context: CommandContext, args: Args, planned: PlannedImport): Promise<boolean> {
  const { ticket: id } = planned;
  if (id === null) return true;
  return Session.open(
    context,
    args,
    async (session) => {
      const { client } = session.app;
      const body = importEdit(planned, (await client.ticket(id)).ticket);
      if (!body) {
        context.output.text(filled(importTexts.changed, { 0: id }));
        return false;
      }
      // The person saw the difference and agreed to it.
      session.decider.takeAsDecided();
      const entry = await fileAction(client, context.output, id, 'edit', body);
      await session.drive(id, askAPerson);
      const outcome = await client.outcome(id, entry);
      if (outcome && outcome.state !== 'refused') {
        context.output.text(`${id} is updated.`);
        return true;
      }
      context.output.text(`${id} is not updated: ${outcome?.message ?? 'it was stopped. Import again.'}`);
      return false;
    },
    { drive: true },
  );
}
