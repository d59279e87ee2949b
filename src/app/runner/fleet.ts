import {
  type CommitsNoted,
  type RepositoryRow,
  type RunnerRow,
  RunnerRows,
} from '../../adapters/store/postgres/runnerRows.ts';
import { TeamKeys } from '../../adapters/store/postgres/teamKeys.ts';
import { dayOf, startOfDay } from '../../base/days.ts';
import { needsOfQueue } from '../../adapters/queue/driveQueue.ts';
import { lacking } from '../../domain/team/needs.ts';
import { toBeadsmithError } from '../../domain/core/errors.ts';
import { mayDecide, TeamRole } from '../../domain/team/keys.ts';
import { statuses } from '../../domain/workflow/workflow.ts';
import type { TicketView } from '../../protocol/api.ts';
import { notificationKindOf } from '../../protocol/attention.ts';
import type { FleetRepository, FleetState, RunnerOrder, SpentDay } from '../../protocol/team/fleet.ts';
import { openTeam } from '../team.ts';
import { checkTeam } from '../teamDevices.ts';
import { usualSilentMs } from './teamRunner.ts';

export interface Fleet {
  read(): Promise<FleetState>;
  /** Notes what all tickets of a repository need of their runner; false: there is no such repository. */
  need(repository: string, needs: readonly string[]): Promise<boolean>;
  /**
   * Notes where the commits of a repository's tickets go; empty: to the remote. `taken`: another's go there.
   */
  commits(repository: string, url: string): Promise<CommitsNoted>;
  /** Limits the tickets that are at work over all runners; null: not at all. */
  limit(most: number | null): Promise<void>;
  /** Undefined: there is no such runner. A silent one that shall leave is forgotten. */
  want(id: string, wanted: RunnerOrder): Promise<RunnerRow | undefined>;
  close(): Promise<void>;
}

interface FleetOptions {
  readonly url: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A repository's tickets; default: it is opened for them, and closed. */
  readonly tickets?: (repository: string) => Promise<readonly TicketView[]>;
}

interface RepositoryNow {
  readonly row: FleetRepository;
  readonly views: readonly TicketView[];
  readonly claims: readonly { readonly runner: string; readonly ticket: string }[];
}

const days = 7;

/** Throws TEAM_TABLES where the team has none yet or older ones, DATABASE_NEWER and DATABASE_IO. */
export async function openFleet({
  url,
  env,
  tickets = ticketsOnce({ url, env }),
}: FleetOptions): Promise<Fleet> {
  await checkTeam(url);
  const rows = new RunnerRows({ url, silentMs: usualSilentMs, onChange: () => undefined });
  const keys = new TeamKeys(url);
  /** One that is damaged hides no other. */
  const readOne = async ({ id, name, commits }: RepositoryRow): Promise<RepositoryNow> => {
    try {
      const [claims, spent, views] = [await rows.claims(id), await daysOf(rows, id), await tickets(name)];
      return { row: { name, commits, tickets: views.length, days: spent, failure: null }, views, claims };
    } catch (error) {
      const { code } = toBeadsmithError(error);
      return { row: { name, commits, tickets: 0, days: [], failure: code }, views: [], claims: [] };
    }
  };
  return {
    read: async () => {
      const known = await rows.repositories();
      const [runners, queue, devices] = [await rows.runners(), await rows.queued(), await keys.all()];
      const [line, atWork] = [await rows.line(), await rows.atWork()];
      const read: RepositoryNow[] = [];
      for (const repository of known) read.push(await readOne(repository));
      const driving = (runner: string) =>
        read.flatMap(({ row, claims }) =>
          claims
            .filter((claim) => claim.runner === runner)
            .map(({ ticket }) => ({ repository: row.name, ticket })),
        );
      const deciders = devices.filter(mayDecide);
      return {
        runners: inOrder(runners).map(
          ({ at_once: atOnce, started_at: startedAt, seen_at: seenAt, ...runner }) => ({
            ...runner,
            atOnce,
            startedAt,
            seenAt,
            driving: driving(runner.id),
          }),
        ),
        queue,
        atWork,
        lacking: lackingIn(line, runners),
        stages: stagesOf(read.flatMap(({ views }) => views)),
        repositories: read.map(({ row }) => row),
        waiting: read.flatMap(waitingIn).sort((a, b) => a.since - b.since),
        deciders: {
          roles: TeamRole.options.filter((role) => mayDecide({ role, revokedAt: null })),
          people: [...new Set(deciders.map(({ person }) => person))].sort(),
        },
      };
    },
    need: (repository, needs) => rows.need(repository, needs),
    commits: (repository, url) => rows.commits(repository, url),
    limit: (most) => rows.limit(most),
    want: (id, wanted) => rows.want(id, wanted),
    close: async () => {
      await Promise.all([rows.close(), keys.close()]);
    },
  };
}

/** Those that are heard of first, the oldest of which leads, then the gone ones, the last seen first. */
export function inOrder<T extends Pick<RunnerRow, 'silent' | 'seen_at'>>(runners: readonly T[]): T[] {
  const gone = runners.filter(({ silent }) => silent).sort((a, b) => b.seen_at - a.seen_at);
  return [...runners.filter(({ silent }) => !silent), ...gone];
}

/** Counts tickets by what their statuses are called, in the order of the work. */
export function stagesOf(
  views: readonly Pick<TicketView, 'status' | 'label'>[],
): FleetState['stages'][number][] {
  const sorted = [...views].sort((a, b) => statuses.indexOf(a.status) - statuses.indexOf(b.status));
  return [...Map.groupBy(sorted, ({ label }) => label)].map(([label, { length }]) => ({
    label,
    tickets: length,
  }));
}

/** The drives that no runner may take as it is. */
function lackingIn(
  line: Awaited<ReturnType<RunnerRows['line']>>,
  runners: readonly RunnerRow[],
): FleetState['lacking'] {
  const able = runners.filter(({ silent, wanted }) => !silent && wanted === 'work');
  return line.flatMap(({ queue, id }) => {
    const needs = needsOfQueue(queue);
    if (able.some(({ can }) => lacking(can, needs).length === 0)) return [];
    const words = id.split(' ');
    const [repository, ticket] = [words.slice(0, -2).join(' '), words.at(-2) ?? ''];
    return [{ repository, ticket, needs: [...needs] }];
  });
}

function ticketsOnce(options: Pick<FleetOptions, 'url' | 'env'>): NonNullable<FleetOptions['tickets']> {
  const team = openTeam(options);
  return async (name) => {
    const opened = await team.open(name);
    try {
      return await opened.client.tickets();
    } finally {
      await opened.close();
    }
  };
}

function waitingIn({ row, views }: RepositoryNow): FleetState['waiting'] {
  return views.flatMap((view) => {
    const kind = notificationKindOf(view);
    const { id: ticket, title, label, updatedAt: since } = view;
    return kind === undefined || kind === 'finished'
      ? []
      : [{ repository: row.name, ticket, title, label, kind, since }];
  });
}

/** The last days with their usage, oldest first; a day without any has zeros. */
async function daysOf(rows: RunnerRows, repository: number): Promise<SpentDay[]> {
  const today = startOfDay(Date.now());
  const starts = Array.from({ length: days }, (_, at) => {
    const day = new Date(today);
    return day.setDate(day.getDate() + at + 1 - days);
  });
  const spent = await rows.spent(repository, starts);
  const none = { answers: 0, tokens: 0, money: null, unpriced: 0 };
  return starts.map((start, at) => {
    const { day: _number, ...found } = spent.find(({ day }) => day === at + 1) ?? { day: 0, ...none };
    return { day: dayOf(start), ...found };
  });
}
