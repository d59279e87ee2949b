import { type BookedUsage, usageGroups, usageLedger } from '../../domain/usage/usageLedger.ts';
import { readBookedUsage, readUsageOfParts } from '../../protocol/bookedUsage.ts';
import type { Command } from '../base/command.ts';
import { Session } from '../drive/session.ts';
import { exitCodes } from '../base/exitCodes.ts';
import { commonOptions, ticketIdOf } from '../options/options.ts';
import { usageText } from '../output/usageText.ts';

/** `usage`: the tokens and the money that models took for a ticket, or for all. */
export const usage: Command = {
  name: 'usage',
  words: '[ABC-12]',
  about: 'show what models used for a ticket, or for all tickets: tokens, cache and price',
  takes: [0, 1],
  changes: 'nothing',
  options: {
    ...commonOptions,
    by: {
      value: usageGroups.join('|'),
      about: 'what to add up by; default: phase (the status a model worked in), without a ticket: ticket',
    },
  },
  run: (context, args) => {
    const [word] = args.positionals;
    const id = word === undefined ? null : ticketIdOf(word);
    const by = args.oneOf('by', usageGroups, id === null ? 'ticket' : 'phase');
    return Session.with(context, args, { purpose: 'file' }, async ({ app: { client } }) => {
      const asked =
        id === null
          ? (await client.tickets()).map((ticket) => ticket.id)
          : [(await client.ticket(id)).ticket.id];
      const booked: BookedUsage[] = [];
      for (const ticket of asked)
        booked.push(...(await (by === 'part' ? readUsageOfParts : readBookedUsage)(client, ticket)));
      const { rows, total } = usageLedger(booked, by);
      context.output.event({ type: 'usage', ticket: id, by, rows: [...rows], total });
      context.output.text(usageText(by, rows, total));
      context.output.event({ type: 'end', exit: exitCodes.done, ticket: id, status: null });
      return exitCodes.done;
    });
  },
};
