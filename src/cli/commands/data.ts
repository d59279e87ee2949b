import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { codeOf } from '../../adapters/system/files.ts';
import type { BackupInfo, Restored } from '../../app/backups.ts';
import { withoutSecretsInText } from '../../base/outputSecrets.ts';
import { sizeText } from '../../base/sizeText.ts';
import { type Cleanable, cleanKindLabels, dueFor, mayBePersons, sizeOf } from '../../domain/core/cleaning.ts';
import { type BeadsmithError, invalidInput } from '../../domain/core/errors.ts';
import { bdIssues } from '../../protocol/export/bdIssues.ts';
import { exportedFiles, ExportManifest, manifestName } from '../../protocol/export/exportedFiles.ts';
import { type Args, UsageError } from '../base/args.ts';
import { type Command, type CommandContext, endCommand } from '../base/command.ts';
import { type ExitCode, exitCodes, exitOfSignal } from '../base/exitCodes.ts';
import { oneLine, printable } from '../base/output.ts';
import { Session } from '../drive/session.ts';
import { onTickets, ownOrTeam } from '../drive/team.ts';
import { commonOptions, opencodeOptions, ticketIdOf } from '../options/options.ts';

export const exportCommand: Command = {
  name: 'export',
  words: 'ABC-12',
  about: 'export all data of a ticket to a folder; with --bd, tickets with their beads as issues of bd',
  takes: [0, 1_000],
  changes: 'nothing',
  options: {
    ...ownOrTeam,
    to: {
      value: 'PATH',
      about: 'target folder, or file with --bd; default: ABC-12-export or issues.jsonl in the current folder',
    },
    replace: { about: 'replace an existing export of this ticket' },
    bd: { about: 'write the named tickets, or all, to one JSONL file that bd imports' },
  },
  run: (context, args) => {
    if (args.flag('bd')) return exportToBd(context, args);
    if (args.positionals.length === 0) throw new UsageError('An argument is missing.');
    if (args.positionals.length > 1) throw new UsageError('Only with --bd, export takes several tickets.');
    const ticket = ticketIdOf(args.positionals[0]);
    const folder = resolve(context.cwd, args.text('to') ?? `${ticket}-export`);
    return onTickets(context, args, async ({ client }) => {
      const { status } = (await client.ticket(ticket)).ticket;
      const before = await isThere(folder);
      if (before && !(args.flag('replace') && (await isExportOf(folder, ticket))))
        throw taken(folder, args.flag('replace'));
      const partial = `${folder}.${randomUUID()}.partial`;
      try {
        for await (const { path, content } of exportedFiles(client, ticket, Date.now())) {
          if (context.signal.aborted) return exitOfSignal(context.signal);
          await mkdir(dirname(join(partial, path)), { recursive: true });
          await writeFile(join(partial, path), content);
        }
        // The previous export is deleted only when the new one is in its place.
        const former = `${partial}.former`;
        if (before) await rename(folder, former);
        await rename(partial, folder);
        if (before) await rm(former, { recursive: true, force: true });
      } finally {
        await rm(partial, { recursive: true, force: true });
      }
      context.output.text(`${ticket} is exported to ${printable(folder)}`);
      context.output.event({ type: 'exported', ticket, folder });
      return endCommand(context, { ticket, status });
    });
  },
};

function exportToBd(context: CommandContext, args: Args): Promise<ExitCode> {
  if (args.flag('replace')) throw new UsageError('--bd replaces no file.');
  const wanted = args.positionals.map(ticketIdOf);
  const file = resolve(context.cwd, args.text('to') ?? 'issues.jsonl');
  return onTickets(context, args, async ({ client }) => {
    const ids = wanted.length > 0 ? [...new Set(wanted)] : (await client.tickets()).map(({ id }) => id);
    const lines: string[] = [];
    for (const id of ids) {
      if (context.signal.aborted) return exitOfSignal(context.signal);
      const [{ ticket }, { beads }] = await Promise.all([client.ticket(id), client.beads(id)]);
      lines.push(...bdIssues(ticket, beads).map((issue) => JSON.stringify(issue)));
    }
    const content = withoutSecretsInText(lines.map((line) => `${line}\n`).join(''));
    // Never over issues that are there already.
    await writeFile(file, content, { flag: 'wx' }).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
      throw invalidInput(`The file ${printable(file)}`, 'it already exists; choose another one with --to');
    });
    context.output.text(
      `${countOf(ids.length, 'ticket')} exported to ${printable(file)}, ${countOf(lines.length, 'issue')} in all`,
    );
    context.output.event({ type: 'exported_bd', file, tickets: ids.length, issues: lines.length });
    return endCommand(context);
  });
}

function countOf(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${String(count)} ${what}s`;
}

function taken(folder: string, replaces: boolean): BeadsmithError {
  const reason = replaces
    ? "it isn't an export of this ticket"
    : 'it already exists; choose another folder with --to, or use --replace';
  return invalidInput(`The folder ${printable(folder)}`, reason);
}

async function isThere(folder: string): Promise<boolean> {
  return stat(folder).then(Boolean, () => false);
}

async function isExportOf(folder: string, ticket: string): Promise<boolean> {
  try {
    return (
      ExportManifest.parse(JSON.parse(await readFile(join(folder, manifestName), 'utf8'))).ticket === ticket
    );
  } catch {
    return false;
  }
}

const { repo, json, debug } = commonOptions;

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
      context.output.text(list.length === 0 ? 'There are no backups yet.' : list.map(backupLine).join('\n'));
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

function backupLine({ name, at, bytes, tickets, problem }: BackupInfo): string {
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
    return Session.open(context, args, async ({ app }) => {
      for (const ticket of tickets) {
        const { view } = await app.client.ticket(ticket);
        if (view.column !== 'Done')
          throw new UsageError(`${ticket} isn't completed or canceled, so none of its data is removed.`);
      }
      const cleaner = context.product.openCleaner({
        repository: app.repository,
        agent: app.ports.agent,
        git: app.ports.git,
        env: context.env,
      });
      const found = (await cleaner.list({ worktrees: args.flag('all') })).filter(
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
            ...failed.map((one) => `Not removed: ${cleanableLine(one)}. ${oneLine(one.reason)}`),
          ].join('\n'),
        );
        if (failed.length > 0) exit = exitCodes.failed;
      } else if (due.length > 0) context.output.text('Nothing was removed. To remove it, add --yes.');
      return endCommand(context, {}, exit);
    });
  },
};

function listText(due: readonly Cleanable[]): string {
  if (due.length === 0) return 'There is nothing to remove.';
  return [...due.map(cleanableLine), `Total: ${sizeText(sizeOf(due))}.`].join('\n');
}

function cleanableLine({ ticket, kind, count, bytes, at }: Cleanable): string {
  return `${(ticket ?? '-').padEnd(9)} ${new Date(at).toISOString().slice(0, 10)}  ${sizeText(bytes).padStart(9)}  ${cleanKindLabels[kind]} (${String(count)})`;
}
