import {
  type BookedUsage,
  usageGroups,
  usageLedger,
  type UsageGroup,
  type UsageRow,
  type UsageSums,
} from '../../domain/usage/usageLedger.ts';
import { readBookedUsage, readUsageOfParts } from '../../protocol/bookedUsage.ts';
import { type Command, endCommand } from '../base/command.ts';
import { Session } from '../drive/session.ts';
import { commonOptions, ticketIdOf } from '../options/options.ts';
import { oneLine, tableText } from '../base/output.ts';

/** `usage`: the tokens and the money that models took for a ticket, or for all. */
export const usage: Command = {
  name: 'usage',
  words: '[ABC-12]',
  about: 'show model usage for a ticket, or for all tickets: tokens, cache and price',
  takes: [0, 1],
  changes: 'nothing',
  options: {
    ...commonOptions,
    by: {
      value: usageGroups.join('|'),
      about: 'what to group by; default: phase (the status a model worked in); without a ticket: ticket',
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
      return endCommand(context, { ticket: id });
    });
  },
};

const columns = ['answers', 'input', 'from cache', 'to cache', 'output', 'reasoning', 'tokens', 'US$'];
const widestName = 60;

/** The ledger as a table, and a line for each thing that its figures leave open. */
export function usageText(by: UsageGroup, rows: readonly UsageRow[], total: UsageSums): string {
  if (rows.length === 0) return 'No model calls yet.';
  const table = [
    [by, ...columns],
    ...rows.map((row) => [oneLine(row.key ?? `(no ${by})`, widestName), ...figures(row)]),
    ['total', ...figures(total)],
  ];
  return [tableText(table, [1, 2, 3, 4, 5, 6, 7, 8]), ...remarks(total)].join('\n');
}

function figures(sums: UsageSums): readonly string[] {
  const { answers, input, cacheRead, cacheWrite, output, reasoning, tokens } = sums;
  return [
    ...[answers, input, cacheRead, cacheWrite, output, reasoning, tokens].map((figure) =>
      figure.toLocaleString('en-US'),
    ),
    price(sums),
  ];
}

/** At least this much where some prices aren't known. */
function price({ money, unpriced }: UsageSums): string {
  return money === null ? '–' : `${unpriced > 0 ? '≥ ' : ''}${money.toFixed(4)}`;
}

function remarks({ unpriced, counted, answers }: UsageSums): readonly string[] {
  const of = (count: number): string => `${String(count)} of ${String(answers)} answers`;
  return [
    ...(unpriced > 0 ? [`No price is known for ${of(unpriced)}.`] : []),
    ...(counted > 0 ? [`The provider reported no tokens for ${of(counted)}; these are estimated.`] : []),
  ];
}
