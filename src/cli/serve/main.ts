import { Notices } from '../../adapters/store/postgres/notices.ts';
import { TeamKeys } from '../../adapters/store/postgres/teamKeys.ts';
import { locations } from '../../app/locations.ts';
import { type Fleet, openFleet } from '../../app/runner/fleet.ts';
import { openTeam } from '../../app/team.ts';
import { prepareTeam } from '../../app/teamDevices.ts';
import { ticketHash } from '../../protocol/team/served.ts';
import type { Address } from './address.ts';
import { readAssets } from './assets.ts';
import { type ServerLimits, startHttp } from './httpServer.ts';
import { Notifier, type NotifierOptions } from './notifier.ts';
import type { Rate } from './recentUses.ts';
import { type AuditLine, router } from './routes.ts';
import { TeamOfServer } from './teamOfServer.ts';

export interface ServeOptions {
  /** The team's database. */
  readonly url: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly address: Address;
  readonly audit: (line: AuditLine) => void;
  /** The program that is told what begins to wait for people, and what ended. */
  readonly notify?: Pick<NotifierOptions, 'program' | 'say' | 'timing'>;
  readonly limits?: Partial<ServerLimits> & { readonly pairing?: { readonly one: Rate; readonly all: Rate } };
}

export interface ServedTeam {
  readonly url: string;
  close(): Promise<void>;
}

const minute = 60_000;
const usual: ServerLimits = {
  bodyBytes: 512 * 1024,
  bodyMs: 10_000,
  requests: { most: 600, perMs: minute },
};
/** A code has 80 bits; this is for those who try anyway. */
const usualPairing = { one: { most: 5, perMs: minute }, all: { most: 60, perMs: minute } };

/** Serves the team's tickets to browsers (docs/decisions/222-approve-from-anywhere.md). */
export async function serveTickets(options: ServeOptions): Promise<ServedTeam> {
  const { url, env, address, audit, notify, limits = {} } = options;
  await prepareTeam(url);
  const keys = new TeamKeys(url);
  const team = new TeamOfServer(openTeam({ url, env }));
  const fleet = await openFleet({ url, env, tickets: (name) => team.tickets(name) });
  const { pairing = usualPairing, ...http } = limits;
  const close = async (): Promise<void> => {
    await Promise.all([team.close(), keys.close(), fleet.close()]);
  };
  try {
    const server = await startHttp({
      address,
      assets: await readAssets(locations.servedPage),
      limits: { ...usual, ...http },
      answer: router({
        team,
        fleet: inOneRead(fleet),
        keys,
        trustHeader: address.trustHeader,
        pairing,
        audit,
      }),
      onRefusal: ({ code }, { path, from }) => audit({ action: path, outcome: code, from }),
    });
    const notices = new Notices(url);
    const told = async (): Promise<Notifier | undefined> =>
      notify &&
      Notifier.start({
        ...notify,
        env,
        notices,
        changes: () => team.changes,
        tickets: async () => (await team.views()).views,
        ticket: (repository, id) => team.ticket(repository, id),
        pageOf: (repository, ticket) => `${server.url}/${ticketHash(repository, ticket)}`,
      });
    const notifier = await told().catch(async (error: unknown) => {
      await Promise.all([server.close(), notices.close()]);
      throw error;
    });
    return {
      url: server.url,
      close: async () => {
        await notifier?.close();
        await Promise.all([server.close(), notices.close()]);
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Browsers that ask at the same time get one answer. */
function inOneRead(fleet: Fleet): Pick<Fleet, 'read' | 'want'> {
  let reading: ReturnType<Fleet['read']> | undefined;
  return {
    read: () =>
      (reading ??= fleet.read().finally(() => {
        reading = undefined;
      })),
    want: (id, wanted) => fleet.want(id, wanted),
  };
}
