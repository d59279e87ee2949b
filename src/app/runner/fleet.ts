import { type RepositoryRow, type RunnerRow, RunnerRows } from '../../adapters/store/postgres/runnerRows.ts';
import type { TicketView } from '../../protocol/api.ts';
import { openTeam } from '../team.ts';
import { usualSilentMs } from './teamRunner.ts';

/** `driving`: its tickets, with their repositories. */
export interface FleetRunner extends Omit<RunnerRow, 'at_once' | 'started_at' | 'seen_at'> {
  readonly atOnce: number;
  readonly startedAt: number;
  readonly seenAt: number;
  readonly driving: readonly { readonly repository: string; readonly ticket: string }[];
}

/** A team's runners, queue and tickets. */
export interface FleetState {
  readonly runners: readonly FleetRunner[];
  /** Drives: `waiting` for a runner, `running`, and `later` at a time. */
  readonly queue: { readonly waiting: number; readonly running: number; readonly later: number };
  readonly repositories: readonly { readonly name: string; readonly tickets: readonly TicketView[] }[];
}

export interface Fleet {
  read(): Promise<FleetState>;
  /** Undefined: there is no such runner. A silent one that shall leave is forgotten. */
  want(id: string, wanted: RunnerRow['wanted']): Promise<RunnerRow | undefined>;
  close(): Promise<void>;
}

export function openFleet({
  url,
  env,
}: {
  readonly url: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}): Fleet {
  const rows = new RunnerRows({ url, silentMs: usualSilentMs, onChange: () => undefined });
  const team = openTeam({ url, env });
  const ticketsOf = async ({ name }: RepositoryRow): Promise<FleetState['repositories'][number]> => {
    const opened = await team.open(name);
    try {
      return { name, tickets: await opened.client.tickets() };
    } finally {
      await opened.close();
    }
  };
  return {
    read: async () => {
      const known = await rows.repositories();
      const [runners, queue] = [await rows.runners(), await rows.queued()];
      const claims = await Promise.all(
        known.map(async ({ id, name }) =>
          (await rows.claims(id)).map((claim) => ({ ...claim, repository: name })),
        ),
      );
      const repositories: FleetState['repositories'][number][] = [];
      for (const repository of known) repositories.push(await ticketsOf(repository));
      return {
        runners: runners.map(({ at_once: atOnce, started_at: startedAt, seen_at: seenAt, ...runner }) => ({
          ...runner,
          atOnce,
          startedAt,
          seenAt,
          driving: claims
            .flat()
            .filter((claim) => claim.runner === runner.id)
            .map(({ repository, ticket }) => ({ repository, ticket })),
        })),
        queue,
        repositories,
      };
    },
    want: (id, wanted) => rows.want(id, wanted),
    close: () => rows.close(),
  };
}
