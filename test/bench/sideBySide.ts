/** A piece of work that can be timed. `prepare` isn't. */
interface Side {
  readonly prepare?: () => void | Promise<void>;
  readonly run: () => unknown;
}

/**
 * Samples of how long `a` takes ÷ how long `b` takes. Each sample runs the two in turn, `rounds` times, the
 * first one changing. By the clock it compares the fastest run of each, since what else a machine does only
 * ever adds time; by processor time, which others don't stretch and which is counted in coarse steps, the
 * sums. One pair before the samples warms up whatever warms up.
 */
export async function sideBySide(
  a: Side,
  b: Side,
  options: { readonly samples: number; readonly rounds: number; readonly by?: 'clock' | 'processor' },
): Promise<{
  readonly ratios: readonly number[];
  readonly aMs: readonly number[];
  readonly bMs: readonly number[];
}> {
  const found: { ratios: number[]; aMs: number[]; bMs: number[] } = { ratios: [], aMs: [], bMs: [] };
  const measure = options.by === 'processor' ? processorTimeOf : timeOf;
  const mean = (times: readonly number[]): number => times.reduce((sum, ms) => sum + ms, 0) / times.length;
  const combine = options.by === 'processor' ? mean : (times: readonly number[]) => Math.min(...times);
  for (let sample = -1; sample < options.samples; sample++) {
    const times: { a: number[]; b: number[] } = { a: [], b: [] };
    for (let round = 0; round < (sample < 0 ? 1 : options.rounds); round++) {
      const order = (sample + round) % 2 === 0 ? (['a', 'b'] as const) : (['b', 'a'] as const);
      for (const name of order) times[name].push(await measure(name === 'a' ? a : b));
    }
    if (sample < 0) continue;
    const [aMs, bMs] = [combine(times.a), combine(times.b)];
    found.ratios.push(aMs / bMs);
    found.aMs.push(aMs);
    found.bMs.push(bMs);
  }
  return found;
}

/** Milliseconds that one run takes. */
export async function timeOf(side: Side): Promise<number> {
  await side.prepare?.();
  const start = performance.now();
  await side.run();
  return performance.now() - start;
}

/**
 * Milliseconds of this thread's processor time that one run takes: about what the clock shows when the
 * machine has nothing else to do.
 */
async function processorTimeOf(side: Side): Promise<number> {
  await side.prepare?.();
  const start = process.threadCpuUsage();
  await side.run();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}
