/** One repair of an answer: the rule's name, and the place that it changed, before and after. Both are cut to 300 characters. */
export interface Repair {
  readonly rule: string;
  readonly before: string;
  readonly after: string;
}

/** Repairs as they are kept with the call and shown: a line each, with before and after. */
export function repairsText(repairs: readonly Repair[]): string {
  return repairs.map(({ rule, before, after }) => `${rule}: ${before} → ${after === '' ? '(left out)' : after}`).join('\n');
}
