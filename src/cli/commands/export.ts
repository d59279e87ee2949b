import { invalidInput } from '../../domain/core/errors.ts';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { BeadsmithError } from '../../domain/core/errors.ts';
import { ExportManifest, exportedFiles, manifestName } from '../../protocol/export/exportedFiles.ts';
import { type Command, endCommand } from '../base/command.ts';
import { Session } from '../drive/session.ts';
import { exitOfSignal } from '../base/exitCodes.ts';
import { commonOptions, ticketIdOf } from '../options/options.ts';
import { printable } from '../base/output.ts';

/** `export`: everything that is known of a ticket, in a folder. */
export const exportCommand: Command = {
  name: 'export',
  words: 'ABC-12',
  about: 'export all data of a ticket to a folder',
  takes: [1, 1],
  changes: 'nothing',
  options: {
    ...commonOptions,
    to: { value: 'FOLDER', about: 'target folder; default: ABC-12-export in the current folder' },
    replace: { about: 'replace an existing export of this ticket' },
  },
  run: (context, args) => {
    const ticket = ticketIdOf(args.positionals[0]);
    const folder = resolve(context.cwd, args.text('to') ?? `${ticket}-export`);
    return Session.with(context, args, { purpose: 'file' }, async ({ app }) => {
      const { status } = (await app.client.ticket(ticket)).ticket;
      const before = await isThere(folder);
      if (before && !(args.flag('replace') && (await isExportOf(folder, ticket))))
        throw taken(folder, args.flag('replace'));
      const partial = `${folder}.${randomUUID()}.partial`;
      try {
        for await (const { path, content } of exportedFiles(app.client, ticket, Date.now())) {
          if (context.signal.aborted) return exitOfSignal(context.signal);
          await mkdir(dirname(join(partial, path)), { recursive: true });
          await writeFile(join(partial, path), content);
        }
        // The previous one is deleted only when the new one is in its place.
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
