import { invalidInput } from '../../domain/core/errors.ts';
import { receivedHandoffDocument } from '../../domain/documents/receivedHandoff.ts';
import type { BeadsmithError } from '../../domain/core/errors.ts';
import { offeredHandoffs } from '../../protocol/handoffs.ts';
import { actionCommand } from '../drive/actionCommand.ts';
import { type Command, endCommand, reportDocument } from '../base/command.ts';
import { Session } from '../drive/session.ts';
import { UsageError } from '../base/args.ts';
import { ticketIdOf, readText } from '../options/options.ts';

const change = actionCommand({
  name: 'handoff',
  kind: 'edit_handoff',
  about: 'show the handoff that a ticket received, or change or remove it until the plan is approved',
  options: {
    file: { value: 'FILE', about: 'new content; - for standard input' },
    remove: { about: 'remove it' },
    base: { value: 'HASH', about: 'hash of the version you changed; default: the current version' },
  },
  body: async ({ args, client, context, detail }) => {
    const file = args.text('file');
    if (file !== undefined && args.flag('remove'))
      throw new UsageError('Use either --file or --remove, not both.');
    const present = await client.artifact(detail.ticket.id, receivedHandoffDocument.kind);
    const baseSha256 = args.text('base') ?? present?.info.sha256;
    if (baseSha256 === undefined) throw noHandoff(detail.ticket.id);
    return { baseSha256, content: file === undefined ? '' : await readText(context, file) };
  },
});

/** `handoff`: what a ticket got from an earlier one; without a ticket, the handoffs to start with. */
export const handoff: Command = {
  ...change,
  words: '[ABC-12]',
  takes: [0, 1],
  changes: ['file', 'remove'],
  run: (context, args) => {
    if (args.flag('remove') || args.text('file') !== undefined) return change.run(context, args);
    const [word] = args.positionals;
    const ticket = word === undefined ? undefined : ticketIdOf(word);
    return Session.with(context, args, { purpose: 'file' }, async ({ app: { client } }) => {
      if (ticket === undefined) {
        const lines = (await offeredHandoffs(client)).map(
          ({ ticket: id, title, entries }) => `${id}  ${title} (entries: ${String(entries)})`,
        );
        context.output.text(lines.join('\n') || 'No completed ticket has left a handoff.');
      } else {
        const stored = await client.artifact(ticket, receivedHandoffDocument.kind);
        if (!stored) throw noHandoff(ticket);
        const { content, info } = stored;
        context.output.text(content.trimEnd());
        reportDocument(context, ticket, receivedHandoffDocument.kind, { content, sha256: info.sha256 });
      }
      return endCommand(context, { ticket: ticket ?? null });
    });
  },
};

function noHandoff(ticket: string): BeadsmithError {
  return invalidInput('The handoff', `${ticket} received none from another ticket`);
}
