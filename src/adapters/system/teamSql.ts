/** Milliseconds since 1970, by one clock for all machines. */
export const serverNow = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)';

/** The time at or before which a runner was last heard of that is taken for gone. */
export function silentSince(silentMs: number): string {
  return `${serverNow} - ${Math.round(silentMs)}`;
}

/** The most tickets that may be at work over all runners; null without a limit. */
export const mostAtWork = '(SELECT at_work FROM beadsmith.limits)';

/** Keeps others from taking tickets, and from changing the limit, until the transaction ends. */
export const lockLimits = 'SELECT FROM beadsmith.limits FOR UPDATE';

/**
 * The number of tickets at work: the drives of runners that are heard of, but for those that let others work.
 * The drives of a runner that is gone count no longer, also before they are given on.
 */
export function atWork(silentMs: number): string {
  return `(SELECT coalesce(sum(greatest(0, drives - asides)), 0) FROM beadsmith.runners, LATERAL (
      SELECT count(*) AS drives FROM beadsmith_queue.workflow_status
        WHERE executor_id = runners.id AND status = 'PENDING' AND name = 'drive') AS own
    WHERE seen_at > ${silentSince(silentMs)})`;
}
