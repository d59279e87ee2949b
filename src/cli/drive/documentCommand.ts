import { invalidInput } from '../../domain/core/errors.ts';
import { documents, type UngatedKind } from '../../domain/documents/documents.ts';
import type { Client, TicketDetail } from '../../protocol/api.ts';
import { ungatedText } from '../../protocol/readDocument.ts';
import { type OptionSpecs, UsageError } from '../base/args.ts';
import { type Command, endCommand, printDocument } from '../base/command.ts';
import { readText, ticketIdOf } from '../options/options.ts';
import { actionCommand } from './actionCommand.ts';
import { onTickets } from './team.ts';

interface DocumentSpec {
  readonly name: string;
  readonly artifact: UngatedKind;
  readonly about: string;
  /** `remove`: sends an empty text instead of a file's. */
  readonly options?: OptionSpecs;
  /** Shown to people instead of the document. */
  readonly shown?: (detail: TicketDetail) => string;
}

/** Prints a document that no gate asks about, with its hash; given a file, replaces the document. */
export function documentCommand({ name, artifact, about, options = {}, shown }: DocumentSpec): Command {
  const present = async (client: Client, ticket: string) => {
    const text = await ungatedText(client, ticket, artifact);
    if (text) return text;
    throw invalidInput(documents[artifact].subject, `${ticket} has none`);
  };
  const edit = actionCommand({
    name,
    kind: 'edit_document',
    about,
    options: {
      file: { value: 'FILE', about: 'new content; - for standard input' },
      ...options,
      base: { value: 'HASH', about: 'hash of the version you changed; default: the current version' },
    },
    body: async ({ args, client, context, detail }) => {
      const file = args.text('file');
      if (file !== undefined && args.flag('remove'))
        throw new UsageError('Use either --file or --remove, not both.');
      return {
        artifact,
        content: file === undefined ? '' : await readText(context, file),
        baseSha256: args.text('base') ?? (await present(client, detail.ticket.id)).sha256,
        reason: args.text('reason') ?? '',
      };
    },
  });
  return {
    ...edit,
    changes: ['file', ...Object.keys(options).filter((option) => option !== 'reason')],
    run: (context, args) => {
      if (args.text('file') !== undefined || args.flag('remove')) return edit.run(context, args);
      const ticket = ticketIdOf(args.positionals[0]);
      return onTickets(context, args, async ({ client }) => {
        const detail = await client.ticket(ticket);
        const text = shown?.(detail);
        const { content, sha256 } = await present(client, ticket);
        printDocument(context, { ticket, name: artifact, content, sha256 }, text ?? content.trimEnd());
        return endCommand(context, { ticket, status: detail.ticket.status });
      });
    },
  };
}
