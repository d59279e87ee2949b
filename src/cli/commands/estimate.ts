import { estimates } from '../../domain/estimate/estimate.ts';
import { reviewEstimates } from '../../domain/estimate/reviewEstimate.ts';
import { suggestDepth } from '../../domain/estimate/suggestDepth.ts';
import type { Client } from '../../protocol/api.ts';
import { readCompleted } from '../../protocol/estimates.ts';
import { type Command, type CommandContext, endCommand } from '../base/command.ts';
import { ticketInputOf } from '../drive/startTicket.ts';
import { Session } from '../drive/session.ts';
import { commonOptions, ticketIdOf, ticketOptions } from '../options/options.ts';
import { estimateLine, reasonsOf, reviewLine, suggestionLine } from '../output/estimateText.ts';

/** `estimate`: how deep a ticket should be planned, and what each depth will probably take. Files nothing. */
export const estimate: Command = {
  name: 'estimate',
  words: 'ABC-12 | --title TEXT',
  about: 'suggest a depth for a ticket, and estimate calls, tokens, time and price of each depth',
  takes: [0, 1],
  changes: 'nothing',
  options: { ...commonOptions, ...ticketOptions },
  run: async (context, args) => {
    const [word] = args.positionals;
    const known = word === undefined ? undefined : ticketIdOf(word);
    const input = known === undefined ? await ticketInputOf(context, args) : undefined;
    return Session.with(context, args, { purpose: 'file' }, async ({ app: { client } }) => {
      const text = input ?? (await client.ticket(known ?? '')).ticket;
      await showEstimate(context, client, { ticket: known ?? null, ...text });
      return endCommand(context, { ticket: known ?? null });
    });
  },
};

async function showEstimate(
  { output }: CommandContext,
  client: Client,
  {
    ticket,
    title,
    description,
  }: { readonly ticket: string | null; readonly title: string; readonly description: string },
): Promise<void> {
  const suggested = suggestDepth({ title, description });
  const completed = await readCompleted(client);
  const [depths, reviews] = [estimates(completed), reviewEstimates(completed)];
  output.event({
    type: 'estimate',
    ticket,
    suggested: suggested.depth,
    reasons: reasonsOf(suggested),
    depths: [...depths],
    reviews: [...reviews],
  });
  const lines = [
    ...depths.map((one) => `${one.depth.padEnd(5)}  ${estimateLine(one)}`),
    ...reviews.map(reviewLine),
  ];
  output.text([suggestionLine(suggested), ...lines.map((line) => `  ${line}`)].join('\n'));
}
