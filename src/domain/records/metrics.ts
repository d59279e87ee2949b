import * as z from 'zod';

/** A ticket's figures. `minutes`: since its start; `money`: US dollars at list prices, if known. */
export const Metrics = z.object({
  completed: z.number().int(),
  failed: z.number().int(),
  skipped: z.number().int(),
  retries: z.number().int(),
  minutes: z.number(),
  tokens: z.number().int(),
  money: z.number().nullable(),
});
export type Metrics = z.infer<typeof Metrics>;

/** The figures for models. */
export function metricsText({ completed, failed, skipped, money, ...metrics }: Metrics): string {
  return [
    `- Beads: ${String(completed)} completed, ${String(failed)} failed, ${String(skipped)} skipped`,
    `- Iterations that had to be repeated: ${String(metrics.retries)}`,
    `- Time from the start: ${String(metrics.minutes)} minutes`,
    `- Tokens: ${String(metrics.tokens)}`,
    `- Price: ${money === null ? 'not known' : `${money.toFixed(2)} US dollars`}`,
  ].join('\n');
}
