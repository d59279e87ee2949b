/** `value`: the median of the samples, or another quantile; the bound is on it. */
export interface Measurement {
  readonly name: string;
  readonly unit: string;
  readonly bound: { readonly atMost: number } | { readonly atLeast: number };
  readonly samples: readonly number[];
  /** From 0 to 1. Default: 0.5, the median. */
  readonly quantile?: number;
  /** What the number is made of. */
  readonly notes?: readonly string[];
}

export interface MeasureOptions {
  /** A metric that takes minutes may take fewer and says so in its notes. */
  readonly samples: number;
  readonly say: (text: string) => void;
  /** The folder of another built checkout. */
  readonly against?: string;
}

export type Measure = (options: MeasureOptions) => Promise<readonly Measurement[]>;

/** What `--json` prints. `bound` is a text such as `<= 1.25`. */
interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly bound: string;
  readonly ok: boolean;
  readonly p50: number;
  readonly p95: number;
}

export function toRow({ name, unit, bound, samples, quantile }: Measurement): Row {
  const value = quantile === undefined ? median(samples) : quantileOf(samples, quantile);
  const ok = 'atMost' in bound ? value <= bound.atMost : value >= bound.atLeast;
  const text = 'atMost' in bound ? `<= ${String(bound.atMost)}` : `>= ${String(bound.atLeast)}`;
  const short = (exact: number): number => Number(exact.toPrecision(4));
  const [p50, p95] = [median(samples), quantileOf(samples, 0.95)];
  return { name, value: short(value), unit, bound: text, ok, p50: short(p50), p95: short(p95) };
}

/** Of an even number, the mean of the two in the middle. NaN without any. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * The smallest value that is at least as large as this share: 0.95 of twenty is the nineteenth. NaN without
 * any.
 */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** What can't be measured has missed its bound. */
export async function attempt(
  name: string,
  measure: () => Promise<readonly Measurement[]>,
): Promise<readonly Measurement[]> {
  try {
    return await measure();
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return [{ name, unit: 'measured', bound: { atLeast: 1 }, samples: [0], notes: [why] }];
  }
}
