import { estimates } from '../../domain/estimate/estimate.ts';
import {
  estimateText,
  reasonTexts,
  reviewEstimateText,
  suggestionText,
} from '../../domain/estimate/estimateText.ts';
import { reviewEstimates } from '../../domain/estimate/reviewEstimate.ts';
import { suggestDepth } from '../../domain/estimate/suggestDepth.ts';
import {
  type BookedUsage,
  type UsageGroup,
  usageGroups,
  usageLedger,
  type UsageRow,
  type UsageSums,
} from '../../domain/usage/usageLedger.ts';
import { readBookedUsage, readUsageOfParts } from '../../protocol/bookedUsage.ts';
import { readCompleted } from '../../protocol/estimates.ts';
import { type Command, endCommand } from '../base/command.ts';
import { oneLine, tableText } from '../base/output.ts';
import { ticketInputOf } from '../drive/startTicket.ts';
import { onTickets, ownOrTeam } from '../drive/team.ts';
import { ticketIdOf, ticketOptions } from '../options/options.ts';

export const estimate: Command = {
  name: 'estimate',
  words: 'ABC-12 | --title TEXT',
  about: 'suggest a depth for a ticket, and estimate calls, tokens, time and price of each depth',
  takes: [0, 1],
  changes: 'nothing',
  options: { ...ownOrTeam, ...ticketOptions },
  run: async (context, args) => {
    const [word] = args.positionals;
    const ticket = word === undefined ? null : ticketIdOf(word);
    const input = ticket === null ? await ticketInputOf(context, args) : undefined;
    return onTickets(context, args, async ({ client }) => {
      const { title, description } = input ?? (await client.ticket(ticket ?? '')).ticket;
      const suggested = suggestDepth({ title, description });
      const completed = await readCompleted(client);
      const [depths, reviews] = [estimates(completed), reviewEstimates(completed)];
      context.output.event({
        type: 'estimate',
        ticket,
        suggested: suggested.depth,
        reasons: reasonTexts(suggested),
        depths: [...depths],
        reviews: [...reviews],
      });
      const lines = [
        ...depths.map((one) => `${one.depth.padEnd(5)}  ${estimateText(one)}`),
        ...reviews.map((one) => reviewEstimateText(one)),
      ];
      context.output.text([suggestionText(suggested), ...lines.map((line) => `  ${line}`)].join('\n'));
      return endCommand(context, { ticket });
    });
  },
};

export const usage: Command = {
  name: 'usage',
  words: '[ABC-12]',
  about: 'show model usage for a ticket, or for all tickets: tokens, cache and price',
  takes: [0, 1],
  changes: 'nothing',
  options: {
    ...ownOrTeam,
    by: {
      value: usageGroups.join('|'),
      about: 'what to group by; default: phase (the status a model worked in); without a ticket: ticket',
    },
  },
  run: (context, args) => {
    const [word] = args.positionals;
    const id = word === undefined ? null : ticketIdOf(word);
    const by = args.oneOf('by', usageGroups, id === null ? 'ticket' : 'phase');
    return onTickets(context, args, async ({ client }) => {
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

/** A lower bound if some prices aren't known. */
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
