import { join, resolve } from 'node:path';
import type { Decisions } from '../../app/admission.ts';
import type { Team, TeamTickets } from '../../app/team.ts';
import { type Args, type OptionSpecs, UsageError } from '../base/args.ts';
import type { CommandContext } from '../base/command.ts';
import { commonOptions } from '../options/options.ts';
import { Decider, Session } from './session.ts';

export const teamOptions = {
  team: { value: 'URL', about: "the team's PostgreSQL database, '' for no team; default: BEADSMITH_TEAM" },
} as const satisfies OptionSpecs;

/** Of a command on the repository's own tickets or its team's. */
export const ownOrTeam = { ...commonOptions, ...teamOptions } as const satisfies OptionSpecs;

/** The tickets that a command works on: the repository's own, or the team's. */
export interface Tickets extends Pick<TeamTickets, 'client' | 'repository' | 'ports'> {
  /** Asks the person at the terminal. */
  readonly decider: Decider;
  /** With the logs of the repository's own. */
  readonly stateFolder?: string;
}

export function teamOf(context: CommandContext, args: Args): Team | undefined {
  return isOfTeam(context, args)
    ? context.product.openTeam({ url: givenUrl(context, args), env: context.env })
    : undefined;
}

export function isOfTeam(context: Pick<CommandContext, 'env'>, args: Args): boolean {
  return givenUrl(context, args) !== '';
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

/** The team's tickets of the repository. The caller closes them. Throws UsageError without a team. */
export function teamHere(
  context: CommandContext,
  args: Args,
  decisions: Decisions,
  options: { readonly make?: boolean },
): Promise<TeamTickets> {
  const team = context.product.openTeam({ url: teamUrl(context, args), env: context.env, decisions });
  return team.openHere(resolve(context.cwd, args.text('repo') ?? '.'), options);
}

/** Works on the repository's tickets, where there is a team on the team's, whose tables it may make. */
export async function onTickets<T>(
  context: CommandContext,
  args: Args,
  work: (tickets: Tickets) => Promise<T>,
  options: { readonly make?: boolean } = {},
): Promise<T> {
  if (!isOfTeam(context, args))
    return Session.open(context, args, ({ app: { client, repository, ports }, decider }) =>
      work({ client, repository, ports, decider, stateFolder: join(repository.commonDir, 'beadsmith') }),
    );
  const decider = new Decider(context);
  const tickets = await teamHere(context, args, decider, options);
  const { client, repository, ports } = tickets;
  try {
    return await work({ client, repository, ports, decider });
  } finally {
    await tickets.close();
  }
}
