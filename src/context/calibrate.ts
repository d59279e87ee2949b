/** Estimated tokens, and the provider's count (`input + cache read + cache write`). */
interface Calibration {
  readonly estimated: number;
  readonly reported: number;
}

/** The median of reported ÷ estimated (outliers hold tool results), from 0.5 to 2; 1 without data. */
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
