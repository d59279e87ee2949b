import { resolve } from 'node:path';
import type { Team, TeamTickets } from '../../app/team.ts';
import type { Args, OptionSpecs } from '../base/args.ts';
import type { CommandContext } from '../base/command.ts';
import { Session } from './session.ts';

export const teamOptions = {
  team: { value: 'URL', about: "the team's PostgreSQL database; default: BEADSMITH_TEAM, else no team" },
} as const satisfies OptionSpecs;

/** The tickets that a command reads: the repository's own, or the team's. */
export type Tickets = Pick<TeamTickets, 'client' | 'repository' | 'ports'>;

export function teamOf({ env, product }: CommandContext, args: Args): Team | undefined {
  const url = args.text('team') ?? env['BEADSMITH_TEAM'];
  return url === undefined || url === '' ? undefined : product.openTeam({ url, env });
}

/** Works on the repository's tickets, where there is a team on the team's, whose tables it may make. */
export async function onTickets<T>(
  context: CommandContext,
  args: Args,
  work: (tickets: Tickets, isTeam: boolean) => Promise<T>,
  options: { readonly make?: boolean } = {},
): Promise<T> {
  const team = teamOf(context, args);
  if (!team) return Session.open(context, args, ({ app }) => work(app, false));
  const tickets = await team.openHere(resolve(context.cwd, args.text('repo') ?? '.'), options);
  try {
    return await work(tickets, true);
  } finally {
    await tickets.close();
  }
}
