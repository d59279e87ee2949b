import { sizeText } from '../../base/sizeText.ts';
import { type Cleanable, type CleanKind, dueFor, mayBePersons } from '../../domain/core/cleaning.ts';
import { type Command, endCommand } from '../base/command.ts';
import { Session } from '../drive/session.ts';
import { exitCodes } from '../base/exitCodes.ts';
import { UsageError } from '../base/args.ts';
import { commonOptions, opencodeOptions, ticketIdOf } from '../options/options.ts';
import { oneLine } from '../base/output.ts';

/** `clean`: shows what finished tickets left, and removes it after a yes. */
export const clean: Command = {
  name: 'clean',
  words: '[ABC-12…]',
  about: 'show the data of finished tickets and what can be removed; remove it after you confirm',
  takes: [0, 1_000],
  changes: 'always',
  options: {
    ...commonOptions,
    ...opencodeOptions,
    'keep-days': { value: 'N', about: 'keep the data of tickets that ended in the last N days; default: 30' },
    'keep-megabytes': {
      value: 'N',
      about: 'also keep N MB of the data of older tickets, newest first; default: 0',
    },
    all: {
      about:
        'also include what may be your own work: ignored files of worktrees, your edits, changes to the shared git state',
    },
    yes: { about: 'remove it without asking' },
  },
  run: async (context, args) => {
    const tickets = args.positionals.map(ticketIdOf);
    const rule = { days: args.whole('keep-days') ?? 30, megabytes: args.whole('keep-megabytes') ?? 0 };
    return Session.with(context, args, { purpose: 'file' }, async ({ app }) => {
      for (const ticket of tickets) {
        const { view } = await app.client.ticket(ticket);
        if (view.column !== 'Done')
          throw new UsageError(`${ticket} isn't completed or canceled, so none of its data is removed.`);
      }
      const cleaner = context.product.openCleaner({
        repository: app.repository,
        agent: app.ports.agent,
        env: context.env,
      });
      const found = (await cleaner.list()).filter(
        ({ ticket, kind }) =>
          (tickets.length === 0 || tickets.includes(ticket ?? '')) &&
          (args.flag('all') || !mayBePersons(kind)),
      );
      const due = dueFor(found, rule, Date.now());
      for (const one of due) context.output.event({ type: 'cleanable', ...one });
      context.output.text(listText(due));
      const question = `Remove ${sizeText(sizeOf(due))}? This can't be undone. [y/N] `;
      let exit: 0 | 1 = exitCodes.done;
      if (due.length > 0 && (args.flag('yes') || (await context.confirm?.(question)) === true)) {
        const { removed, failed } = await cleaner.remove(due);
        context.output.event({
          type: 'cleaned',
          removed: removed.length,
          bytes: sizeOf(removed),
          failed: [...failed],
        });
        context.output.text(
          [
            `Removed ${sizeText(sizeOf(removed))}.`,
            ...failed.map((one) => `Not removed: ${lineOf(one)}. ${oneLine(one.reason)}`),
          ].join('\n'),
        );
        if (failed.length > 0) exit = exitCodes.failed;
      } else if (due.length > 0) context.output.text('Nothing was removed. To remove it, add --yes.');
      return endCommand(context, {}, exit);
    });
  },
};

const kinds: Readonly<Record<CleanKind, string>> = {
  texts: 'prompts and answers',
  log: 'log',
  sessions: 'OpenCode sessions',
  attempts: 'refs of attempts',
  work: 'refs of other work',
  left: 'ignored files of the worktree',
  takenBack: 'changes to the shared git state',
};

function sizeOf(all: readonly Cleanable[]): number {
  return all.reduce((sum, { bytes }) => sum + bytes, 0);
}

function listText(due: readonly Cleanable[]): string {
  if (due.length === 0) return 'There is nothing to remove.';
  return [...due.map(lineOf), `Total: ${sizeText(sizeOf(due))}.`].join('\n');
}

function lineOf({ ticket, kind, count, bytes, at }: Cleanable): string {
  return `${(ticket ?? '-').padEnd(9)} ${new Date(at).toISOString().slice(0, 10)}  ${sizeText(bytes).padStart(9)}  ${kinds[kind]} (${String(count)})`;
}
