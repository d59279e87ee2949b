import type { TicketView } from '../../protocol/api.ts';
import type { Command } from '../command.ts';
import { exitCodes } from '../exitCodes.ts';
import { commonOptions } from '../options/options.ts';
import { oneLine } from '../output/output.ts';
import { Session } from '../drive/session.ts';

const columns = ['Needs Input', 'In Progress', 'To Do', 'Done'];

/** `list`: every ticket of the repository, by column. */
export const list: Command = {
  name: 'list',
  words: '',
  about: 'list the tickets of the repository',
  takes: [0, 0],
  options: commonOptions,
  run: (context, args) =>
    Session.with(context, args, 'file', async ({ app }) => {
      const tickets = await app.client.tickets();
      for (const ticket of tickets) context.output.event({ type: 'ticket', ...ticket });
      context.output.text(tickets.length === 0 ? 'No tickets yet. To create one, run: beadsmith create --title TEXT' : listText(tickets));
      context.output.event({ type: 'end', exit: exitCodes.done, ticket: null, status: null });
      return exitCodes.done;
    }),
};

function listText(tickets: readonly TicketView[]): string {
  const width = Math.max(...tickets.map((ticket) => ticket.id.length));
  return columns
    .map((column) => ({ column, inIt: tickets.filter((ticket) => ticket.column === column) }))
    .filter(({ inIt }) => inIt.length > 0)
    .map(({ column, inIt }) =>
      [column, ...inIt.map((ticket) => `  ${ticket.id.padEnd(width)}  ${oneLine(ticket.title, 70)}  (${stateOf(ticket)})`)].join('\n'),
    )
    .join('\n');
}

function stateOf(ticket: TicketView): string {
  const beads = ticket.beadsTotal > 0 ? `, ${String(ticket.beadsDone)} of ${String(ticket.beadsTotal)} beads` : '';
  return `${ticket.label}${ticket.hold === null ? '' : `, pausing: ${ticket.hold}`}${beads}`;
}
