import { resolve } from 'node:path';
import type { BackupInfo, Restored } from '../../app/backups.ts';
import { sizeText } from '../../base/sizeText.ts';
import { type Command, endCommand } from '../base/command.ts';
import { UsageError } from '../base/args.ts';
import { commonOptions } from '../options/options.ts';
import { oneLine, printable } from '../base/output.ts';

const { repo, json, debug } = commonOptions;

/** `restore`: lists the backups of the tickets, or puts one in the place of the database. */
export const restore: Command = {
  name: 'restore',
  words: '[BACKUP]',
  about: 'list the backups of the tickets, or restore one; the current database is kept beside it',
  takes: [0, 1],
  changes: 'always',
  options: { repo, yes: { about: 'restore without asking' }, json, debug },
  run: async (context, args) => {
    const backups = await context.product.openBackups(
      resolve(context.cwd, args.text('repo') ?? '.'),
      context.env,
    );
    const [name] = args.positionals;
    if (name === undefined) {
      const list = await backups.list();
      for (const backup of list) context.output.event({ type: 'backup', ...backup });
      context.output.text(list.length === 0 ? 'There are no backups yet.' : list.map(lineOf).join('\n'));
    } else if (
      args.flag('yes') ||
      (await context.confirm?.(
        `Replace the tickets with those of ${printable(name)}? The current database is kept. [y/N] `,
      ))
    ) {
      const restored = await backups.restore(name);
      context.output.event({ type: 'restored', name, ...restored });
      context.output.text(restoredText(name, restored));
    } else if (!context.confirm) {
      throw new UsageError(
        'Restoring replaces the tickets with those of the backup. To continue, add --yes.',
      );
    }
    return endCommand(context);
  },
};

function lineOf({ name, at, bytes, tickets, problem }: BackupInfo): string {
  const state = problem === null ? `${String(tickets)} tickets` : `can't be restored: ${oneLine(problem)}`;
  return `${printable(name)}  ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC  ${sizeText(bytes)}  ${state}`;
}

function restoredText(name: string, { tickets, damaged, lost }: Restored): string {
  return [
    `Restored ${name} (${String(tickets)} tickets).${damaged === null ? '' : ` The database that was there is kept at ${printable(damaged)}.`}`,
    ...lost.map(({ ticket, commit, ref, known }) =>
      known
        ? `${ticket}: its branch has commits that aren't in the backup (${commit.slice(0, 10)}). They are kept under ${ref}. An unfinished ticket is paused.`
        : `${ticket} is newer than the backup and isn't in it. Its branch stays, and its commits are kept under ${ref}.`,
    ),
  ].join('\n');
}
