/** What a metric measured. `value` is the median of the samples; the bound is on the value. */
export interface Measurement {
  readonly name: string;
  readonly unit: string;
  readonly bound: { readonly atMost: number } | { readonly atLeast: number };
  readonly samples: readonly number[];
  /** For people, below the table: what the number is made of. */
  readonly notes?: readonly string[];
}

export interface MeasureOptions {
  /** How many samples to take. A metric that takes minutes may take fewer and says so in its notes. */
  readonly samples: number;
  /** Where progress goes. */
  readonly say: (text: string) => void;
}

export type Measure = (options: MeasureOptions) => Promise<readonly Measurement[]>;

/** One element of what `--json` prints. `bound` is a text such as `<= 1.25`. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly bound: string;
  readonly ok: boolean;
}

export function toRow({ name, unit, bound, samples }: Measurement): Row {
  const value = median(samples);
  const ok = 'atMost' in bound ? value <= bound.atMost : value >= bound.atLeast;
  const text = 'atMost' in bound ? `<= ${String(bound.atMost)}` : `>= ${String(bound.atLeast)}`;
  return { name, value: Number(value.toPrecision(4)), unit, bound: text, ok };
}

/** The middle one; of an even number, the mean of the two in the middle. NaN without any. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}
