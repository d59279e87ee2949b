/** A piece of work that can be timed. `prepare` isn't. */
export interface Side {
  readonly prepare?: () => void | Promise<void>;
  readonly run: () => unknown;
}

/**
 * Samples of how long `a` takes ÷ how long `b` takes. Each sample runs the two in turn, `rounds` times, the first one changing, and compares the
 * fastest run of each: what else a machine does only ever adds time. One pair before the samples warms up whatever warms up.
 */
export async function sideBySide(
  a: Side,
  b: Side,
  options: { readonly samples: number; readonly rounds: number },
): Promise<{ readonly ratios: readonly number[]; readonly aMs: readonly number[]; readonly bMs: readonly number[] }> {
  const found: { ratios: number[]; aMs: number[]; bMs: number[] } = { ratios: [], aMs: [], bMs: [] };
  for (let sample = -1; sample < options.samples; sample++) {
    const best = { a: Infinity, b: Infinity };
    for (let round = 0; round < (sample < 0 ? 1 : options.rounds); round++) {
      const order = (sample + round) % 2 === 0 ? (['a', 'b'] as const) : (['b', 'a'] as const);
      for (const name of order) best[name] = Math.min(best[name], await timeOf(name === 'a' ? a : b));
    }
    if (sample < 0) continue;
    found.ratios.push(best.a / best.b);
    found.aMs.push(best.a);
    found.bMs.push(best.b);
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
