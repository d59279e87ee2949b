import type { Random } from './random.ts';
import type { AgentFaults } from './agentServer.ts';

/**
 * What goes wrong in a run, drawn from its seed: how likely each fault is at each call, and how many of the
 * larger ones there are at most.
 */
export interface Faults {
  /** The database is locked for up to half a minute; the call waits. */
  readonly busy: number;
  /** The database was locked for so long that the call fails. */
  readonly tooBusy: number;
  /** The disk is full, or can't be read or written, for a while. */
  readonly full: number;
  readonly io: number;
  /** The thread of the database dies. */
  readonly thread: number;
  /** The process is killed, or stopped for so long that another one takes over and it then continues. */
  readonly kill: number;
  readonly freeze: number;
  readonly gitLocked: number;
  readonly serverEnds: number;
  readonly clock: number;
  readonly agent: AgentFaults;
  /** How many faults of these kinds there are at most, so that every run comes to an end. */
  readonly kills: number;
  readonly most: number;
}

export const noFaults: Faults = {
  busy: 0,
  tooBusy: 0,
  full: 0,
  io: 0,
  thread: 0,
  kill: 0,
  freeze: 0,
  gitLocked: 0,
  serverEnds: 0,
  clock: 0,
  agent: { garbage: 0, quota: 0, gone: 0, failed: 0 },
  kills: 0,
  most: 0,
};

/** A run has some kinds of faults and not others: with all of them at once, none would be seen to the end. */
export function faultsOf(random: Random): Faults {
  const some = (probability: number): number => (random.chance(0.5) ? probability * random.next() : 0);
  return {
    busy: some(0.1),
    tooBusy: some(0.01),
    full: some(0.005),
    io: some(0.005),
    thread: some(0.005),
    kill: some(0.03),
    freeze: some(0.01),
    gitLocked: some(0.02),
    serverEnds: some(0.01),
    clock: some(0.01),
    agent: { garbage: some(0.2), quota: some(0.1), gone: some(0.1), failed: some(0.1) },
    kills: random.between(0, 4),
    most: 16,
  };
}
