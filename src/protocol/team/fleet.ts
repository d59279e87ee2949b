import * as z from 'zod';
import { Abilities } from '../../domain/team/abilities.ts';
import { TeamRole } from '../../domain/team/keys.ts';

/** The orders that people give a runner: `leave` ends it, or forgets one that is gone. */
export const RunnerOrder = z.enum(['work', 'pause', 'drain', 'leave']);
export type RunnerOrder = z.infer<typeof RunnerOrder>;

/** Orders in words, after the name of the runner. */
export const orderWords: Readonly<Record<RunnerOrder, string>> = {
  work: 'works again',
  pause: 'takes no more tickets',
  drain: 'ends once its drives have ended',
  leave: 'ends at a safe point of its drives',
};

const Whole = z.number().int().nonnegative();

/** A runner. `silent`: it is taken for gone. `driving`: its tickets. Times are milliseconds since 1970. */
export const FleetRunner = z.object({
  id: z.string(),
  host: z.string(),
  version: z.string(),
  can: Abilities,
  atOnce: Whole,
  wanted: RunnerOrder,
  silent: z.boolean(),
  startedAt: z.number(),
  seenAt: z.number(),
  driving: z.array(z.object({ repository: z.string(), ticket: z.string() })),
});
export type FleetRunner = Readonly<z.infer<typeof FleetRunner>>;

/** The usage of a day in the reader's time zone, such as `2026-01-31`. */
const SpentDay = z.object({
  day: z.string(),
  answers: Whole,
  tokens: Whole,
  /** US dollars of priced answers; null without any. */
  money: z.number().nullable(),
  unpriced: Whole,
});
export type SpentDay = z.infer<typeof SpentDay>;

/** A ticket that waits for a person. `since`: its last change, in milliseconds since 1970. */
const WaitingTicket = z.object({
  repository: z.string(),
  ticket: z.string(),
  title: z.string(),
  label: z.string(),
  /** The editor's kinds of notification. */
  kind: z.enum(['questions', 'blocked', 'needsYou']),
  since: z.number(),
});

/** A team's runners, queue, tickets and cost: the same for the command line and the browser. */
export const FleetState = z.object({
  runners: z.array(FleetRunner),
  /** Drives: `waiting` for a runner, `running`, and `later` at a time. */
  queue: z.object({ waiting: Whole, running: Whole, later: Whole }),
  /** Tickets at work over all runners, without those that wait for people; `most` of them, or null. */
  atWork: z.object({ tickets: Whole, most: Whole.nullable() }),
  /** Tickets in the queue that no runner may take, and the abilities that they need. */
  lacking: z.array(z.object({ repository: z.string(), ticket: z.string(), needs: z.array(z.string()) })),
  /** Tickets by what they are at. */
  stages: z.array(z.object({ label: z.string(), tickets: Whole })),
  repositories: z.array(
    z.object({
      name: z.string(),
      /** The address of the repository that gets the commits of tickets; empty for the remote. */
      commits: z.string(),
      tickets: Whole,
      /** The last seven, oldest first. */
      days: z.array(SpentDay),
      /** The code of the error, for a repository that can't be read. */
      failure: z.string().nullable(),
    }),
  ),
  /** Those that wait longest first. */
  waiting: z.array(WaitingTicket),
  /** The roles and people that may take what waits. */
  deciders: z.object({ roles: z.array(TeamRole), people: z.array(z.string()) }),
});
export type FleetState = Readonly<z.infer<typeof FleetState>>;
/** A repository of the team: its tickets' number, and what it cost. */
export type FleetRepository = FleetState['repositories'][number];

/** A runner's state as people read it. */
export function runnerState({ wanted, silent, driving }: FleetRunner): string {
  if (silent) return 'silent';
  if (wanted === 'work') return driving.length > 0 ? 'working' : 'idle';
  return { pause: 'paused', drain: 'draining', leave: 'ending' }[wanted];
}

/** Tickets at work and their limit in words; undefined without a limit. */
export function atWorkWords({ tickets, most }: FleetState['atWork']): string | undefined {
  if (most === null) return undefined;
  return `${tickets} of ${most} ${most === 1 ? 'ticket' : 'tickets'} at work in all`;
}

/** Days of several repositories, added up. */
export function sumOfDays(days: readonly SpentDay[], day = ''): SpentDay {
  const sum = (pick: (one: SpentDay) => number): number => days.reduce((all, one) => all + pick(one), 0);
  return {
    day,
    answers: sum(({ answers }) => answers),
    tokens: sum(({ tokens }) => tokens),
    money: days.every(({ money }) => money === null) ? null : sum(({ money }) => money ?? 0),
    unpriced: sum(({ unpriced }) => unpriced),
  };
}

/** The reason why it waits, in words. */
export const waitingWords: Readonly<Record<FleetState['waiting'][number]['kind'], string>> = {
  questions: 'has a question',
  blocked: 'is blocked',
  needsYou: 'waits for a decision',
};
