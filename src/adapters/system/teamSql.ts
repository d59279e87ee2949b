/** Milliseconds since 1970, by one clock for all machines. */
export const serverNow = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)';

/** The time at or before which a runner was last heard of that is taken for gone. */
export function silentSince(silentMs: number): string {
  return `${serverNow} - ${Math.round(silentMs)}`;
}
