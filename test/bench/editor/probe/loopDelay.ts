import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ProbeAnswer } from './probeWords.ts';

/**
 * How late the extension host's event loop is for so many milliseconds, as Node measures it: how long a timer
 * of 10 ms takes.
 */
export async function loopDelay(ms: number): Promise<ProbeAnswer<'loopDelay'>> {
  const histogram = monitorEventLoopDelay({ resolution: 10 });
  histogram.enable();
  await new Promise((resolve) => setTimeout(resolve, ms));
  histogram.disable();
  const [p50, p99, max] = [histogram.percentile(50), histogram.percentile(99), histogram.max].map(
    (nanoseconds) => nanoseconds / 1e6,
  );
  return { p50: p50 ?? Number.NaN, p99: p99 ?? Number.NaN, max: max ?? Number.NaN };
}
