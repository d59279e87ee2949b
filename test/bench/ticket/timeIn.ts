import type { PortCall } from './portMeter.ts';

/** At least one call was outstanding; milliseconds. */
export function timeIn(calls: readonly PortCall[], port: string): number {
  let [total, covered] = [0, -Infinity];
  for (const { from, to } of calls.filter((call) => call.port === port).toSorted((a, b) => a.from - b.from)) {
    total += Math.max(0, to - Math.max(from, covered));
    covered = Math.max(covered, to);
  }
  return total;
}
