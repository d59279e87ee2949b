import type { Random } from './random.ts';
import type { AgentFaults } from './agentServer.ts';

/** How likely each fault is at each call, and the most of the larger ones. */
export interface Faults {
  /** Up to half a minute; the call waits. */
  readonly busy: number;
  /** The call fails. */
  readonly tooBusy: number;
  /** Full, or unreadable, for a while. */
  readonly full: number;
  readonly io: number;
  readonly thread: number;
  /** Killed, or stopped until another one takes over. */
  readonly kill: number;
  readonly freeze: number;
  readonly gitLocked: number;
  readonly serverEnds: number;
  readonly clock: number;
  readonly agent: AgentFaults;
  /** The most of these faults, so that every run comes to an end. */
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

/** Some kinds of faults: with all at once, none would be seen to the end. */
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
