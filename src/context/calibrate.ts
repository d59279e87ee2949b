/**
 * A prompt's estimate, and the count that the provider reported for it (`input + cache read + cache write`),
 * in tokens.
 */
export interface Calibration {
  readonly estimated: number;
  readonly reported: number;
}

/**
 * By which factor a model's own tokenizer differs from our estimate: the median of reported ÷ estimated,
 * between 0.5 and 2, and 1 without data. An estimate times this factor is what the model will see. The
 * median, because a few calls carry tool results that nobody estimated.
 */
export function calibrate(pairs: readonly Calibration[]): number {
  const ratios = pairs
    .filter(({ estimated, reported }) => estimated > 0 && reported > 0)
    .map(({ estimated, reported }) => reported / estimated)
    .sort((a, b) => a - b);
  const middle = Math.floor(ratios.length / 2);
  const upper = ratios[middle];
  if (upper === undefined) return 1;
  const lower = ratios.length % 2 === 0 ? (ratios[middle - 1] ?? upper) : upper;
  return Math.min(2, Math.max(0.5, (lower + upper) / 2));
}
