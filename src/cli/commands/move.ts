import { BeadsmithError } from '../../domain/core/errors.ts';
import { UsageError } from '../base/args.ts';
import { type Command, endCommand } from '../base/command.ts';
import type { ExitCode } from '../base/exitCodes.ts';
import { Session } from '../drive/session.ts';
import { teamHere, teamOptions, teamUrl } from '../drive/team.ts';
import { commonOptions, ticketIdOf } from '../options/options.ts';

const places = ['team', 'here'] as const;

export const move: Command = {
  name: 'move',
  words: 'TICKET --to team|here',
  about: 'hand a ticket over between this repository and its team, at a safe point',
  takes: [1, 1],
  changes: 'always',
  options: {
    to: { value: 'PLACE', about: "`team`: the team's runners continue it; `here`: this machine does" },
    ...teamOptions,
    ...commonOptions,
  },
  run: async (context, args) => {
    const to = places.find((place) => place === args.text('to'));
    if (!to) throw new UsageError('Specify --to team or --to here.');
    const url = teamUrl(context, args);
    const { output, product, env, signal } = context;
    const ticket = ticketIdOf(args.positionals[0]);
    const work = async ({ app, decider }: Session): Promise<ExitCode> => {
      if (app.mode !== 'driver') throw new BeadsmithError('MOVE_NEEDS_DRIVER', { ticket });
      await decider.confirm(
        `${ticket} moves ${to === 'team' ? 'to the team' : 'here'}, and continues there.\n`,
      );
      decider.takeAsDecided();
      const team = await teamHere(context, args, decider, { make: true });
      try {
        await product.moveTicket({ app, env, url, team: team.client, ticket, to, signal });
      } finally {
        await team.close();
      }
      output.event({
        type: 'note',
        message:
          to === 'team'
            ? `${ticket} is the team's now. Its worktree here stays; delete it when you don't need it.`
            : `${ticket} is here now.`,
      });
      return endCommand(context, { ticket });
    };
    return Session.open(context, args, work, { drive: true });
  },
};
