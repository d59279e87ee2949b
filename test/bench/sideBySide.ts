/** `prepare` isn't timed. */
interface Side {
  readonly prepare?: () => void | Promise<void>;
  readonly run: () => unknown;
}

/**
 * How long `a` takes ÷ `b`. Each sample runs them in turn, `rounds` times, the first one changing. By the
 * clock it compares the fastest runs, as a machine only adds time; by processor time, counted in coarse
 * steps, the sums. One pair before warms up.
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

/** Of one run. */
export async function timeOf(side: Side): Promise<number> {
  await side.prepare?.();
  const start = performance.now();
  await side.run();
  return performance.now() - start;
}

/** Of this thread. */
async function processorTimeOf(side: Side): Promise<number> {
  await side.prepare?.();
  const start = process.threadCpuUsage();
  await side.run();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}
