import { resolve } from 'node:path';
import type { Decisions } from '../../app/admission.ts';
import type { Team, TeamTickets } from '../../app/team.ts';
import { type Args, type OptionSpecs, UsageError } from '../base/args.ts';
import type { CommandContext } from '../base/command.ts';
import { Session } from './session.ts';

export const teamOptions = {
  team: { value: 'URL', about: "the team's PostgreSQL database; default: BEADSMITH_TEAM, else no team" },
} as const satisfies OptionSpecs;

/** The tickets that a command reads: the repository's own, or the team's. */
export type Tickets = Pick<TeamTickets, 'client' | 'repository' | 'ports'>;

export function teamOf(context: CommandContext, args: Args): Team | undefined {
  const url = givenUrl(context, args);
  return url === '' ? undefined : context.product.openTeam({ url, env: context.env });
}

/** Throws UsageError without one. */
export function teamUrl(context: CommandContext, args: Args): string {
  const url = givenUrl(context, args);
  if (url === '') throw new UsageError('Specify --team URL, or set BEADSMITH_TEAM.');
  return url;
}

function givenUrl({ env }: Pick<CommandContext, 'env'>, args: Args): string {
  return args.text('team') ?? env['BEADSMITH_TEAM'] ?? '';
}

/**
 * The team's tickets of the repository, to move one: tables are made. The caller closes them. Throws
 * UsageError without a team.
 */
export function teamHere(context: CommandContext, args: Args, decisions: Decisions): Promise<TeamTickets> {
  const team = context.product.openTeam({ url: teamUrl(context, args), env: context.env, decisions });
  return team.openHere(resolve(context.cwd, args.text('repo') ?? '.'), { make: true });
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
