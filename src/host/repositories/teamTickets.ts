import { CheckoutCleaner } from '../../app/cleaning/checkoutCleaner.ts';
import { openTeam } from '../../app/team.ts';
import { openTeamDevices } from '../../app/teamDevices.ts';
import type { TeamDevice } from '../../domain/team/keys.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { checked } from '../../protocol/checks.ts';
import type { AppOptions } from '../../app/createApp.ts';
import { enterpriseHosts } from '../settings/githubToken.ts';
import type { OpenedRepository } from './openedRepository.ts';
import { teamRoot } from './teamEntries.ts';

/**
 * Opens the team's tickets of an open repository, whose models and branches they offer; undefined where the
 * team has no such repository. A team's runners do the work, so nothing runs here. Throws TEAM_LOGIN and the
 * errors of the team's database.
 */
export async function openTeamTickets(
  local: OpenedRepository,
  url: string,
  { env, decisions }: Pick<AppOptions, 'env' | 'decisions'>,
): Promise<OpenedRepository | undefined> {
  const root = teamRoot(local.root);
  const tickets = await openTeam({ url, env, decisions, forgeHosts: enterpriseHosts }).find(local.root, root);
  if (!tickets) return undefined;
  const { client, checkouts } = tickets;
  const cleaner = checkouts && new CheckoutCleaner({ git: checkouts, tickets: () => client.tickets() });
  const elsewhere = (): Promise<never> =>
    Promise.reject(
      new BeadsmithError('DATABASE_READ_ONLY', { reason: "a team's runners do this, on their machines" }),
    );
  return {
    ...local,
    root,
    client,
    claim: (key) => local.claim(`team ${key}`),
    check: async function* () {
      yield Promise.resolve(checked('driver', 'pass', 'DRIVEN_BY_TEAM'));
    },
    checkOut: (ticket) => tickets.checkOut(ticket),
    verifier: elsewhere,
    cleaner: {
      rule: () => local.cleaner.rule(),
      list: async () => (await cleaner?.list()) ?? [],
      remove: (wanted, options) => cleaner?.remove(wanted, options) ?? elsewhere(),
    },
    commands: { list: () => Promise.resolve([]), run: elsewhere, prepare: elsewhere },
    passwords: () => Promise.resolve([]),
    wantsReopening: () => Promise.resolve(false),
    close: () => tickets.close(),
  };
}

/** Registers this installation's key in the team by a one-time code. */
export async function joinTeam(url: string, env: AppOptions['env'], code: string): Promise<TeamDevice> {
  const devices = await openTeamDevices({ url, env });
  try {
    return await devices.join(code);
  } finally {
    await devices.close();
  }
}
