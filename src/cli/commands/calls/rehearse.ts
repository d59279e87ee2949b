import { type ModelPrice, costOfTokens } from '../../../domain/usage/modelPrice.ts';
import type { Settings } from '../../../domain/settings/settings.ts';
import type { Client } from '../../../protocol/api.ts';
import type { InspectedCall } from '../../../protocol/inspection.ts';
import type { Command } from '../../base/command.ts';
import { isWhole, rehearseOnCopy } from '../../rehearse/rehearsal.ts';
import { Session } from '../../drive/session.ts';
import { exitCodes } from '../../base/exitCodes.ts';
import type { Args } from '../../base/args.ts';
import { commonOptions, opencodeOptions, ticketIdOf } from '../../options/options.ts';
import { someOptions } from '../../options/settingsOptions.ts';
import { rehearsalText } from '../../output/rehearsalText.ts';

/**
 * `rehearse`: a ticket on a copy of the repository, with scripted answers (docs/decisions/152-rehearsals.md).
 */
export const rehearse: Command = {
  name: 'rehearse',
  words: 'ABC-12',
  about:
    'drive a ticket on a copy of the repository with scripted answers, and print the calls, their parts, tokens and price; costs nothing',
  takes: [1, 1],
  changes: 'always',
  options: {
    ...commonOptions,
    ...someOptions('depth', 'review', 'kickoff', 'retrospective'),
    opencode: opencodeOptions.opencode,
    members: {
      value: 'N',
      about: "council members beside the main implementer; default: the ticket's, or 2",
    },
  },
  run: async (context, args) => {
    const id = ticketIdOf(args.positionals[0]);
    const { ticket, root, price } = await Session.with(
      context,
      args,
      { purpose: 'file' },
      async ({ app }) => {
        const known = (await app.client.ticket(id)).ticket;
        return {
          ticket: known,
          root: app.repository.root,
          price: await priceOf(app.client, id, known.settings),
        };
      },
    );
    const { title, description, baseBranch, settings } = ticket;
    const members = args.whole('members') ?? settings?.councilMembers.length ?? 2;
    context.output.text(`Rehearsing ${id} on a copy of the repository, with scripted answers:`);
    const rehearsed = {
      root,
      branch: baseBranch,
      title,
      description,
      members,
      options: optionsOf(args, settings),
    };
    const rehearsal = await rehearseOnCopy(context, rehearsed);
    const { calls, end } = rehearsal;
    for (const { prompt, member, label, bead, iteration, parts } of calls) {
      const shown = parts.map(({ name, kind, tokens }) => ({ name, kind, tokens }));
      context.output.event({
        type: 'rehearsed',
        ticket: id,
        prompt,
        member,
        phase: label,
        bead,
        iteration,
        parts: shown,
      });
    }
    const tokens = calls.reduce((sum, call) => sum + promptTokens(call), 0);
    const money = price
      ? calls.reduce((sum, call) => sum + promptCost(price.price, promptTokens(call)), 0)
      : null;
    const whole = isWhole(rehearsal);
    const reached = end?.status ?? null;
    const sum = { calls: calls.length, tokens, money, model: price?.model ?? null, whole, status: reached };
    context.output.text(rehearsalText(calls, sum));
    context.output.event({ type: 'rehearsal', ticket: id, ...sum });
    const stopped = [exitCodes.interrupted, exitCodes.terminated].find((code) => code === end?.exit);
    const exit = whole ? exitCodes.done : (stopped ?? exitCodes.failed);
    context.output.event({ type: 'end', exit, ticket: id, status: ticket.status });
    return exit;
  },
};

/** Options of `run`: what was asked for, else what the ticket's own settings are, if it was started. */
function optionsOf(args: Args, settings: Settings | null): readonly string[] {
  const given = (['opencode', 'sandbox'] as const).flatMap((name) =>
    [args.text(name)].flatMap((text) => (text === undefined ? [] : [`--${name}`, text])),
  );
  const wanted = args.text('depth') ?? (settings?.depth === 'loop' ? undefined : settings?.depth);
  const reviews = args.text('review') ?? settings?.review;
  return [
    ...given,
    ...(wanted === undefined ? [] : ['--depth', wanted]),
    ...(reviews === undefined ? [] : ['--review', reviews]),
    ...(args.flag('kickoff') || settings?.kickoff ? ['--kickoff'] : []),
    ...(args.flag('retrospective') || settings?.retrospective ? ['--retrospective'] : []),
  ];
}

/** The price of the main implementer, as it was with the newest call of the ticket that had one. */
async function priceOf(
  client: Client,
  ticket: string,
  settings: Settings | null,
): Promise<{ readonly model: string; readonly price: ModelPrice } | undefined> {
  if (!settings) return undefined;
  const call = (await client.history.inspect(ticket)).findLast(({ plan }) => plan.price !== undefined);
  return call?.plan.price ? { model: call.member, price: call.plan.price } : undefined;
}

function promptTokens({ parts }: InspectedCall): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Returns the cost of a prompt in US dollars if no cache gives anything of it. */
function promptCost(price: ModelPrice, tokens: number): number {
  return costOfTokens(price, { input: tokens, output: 0, cacheRead: 0, cacheWrite: 0 }, tokens).input;
}
