import type { UsageGroup, UsageRow, UsageSums } from '../../domain/usage/usageLedger.ts';
import { oneLine } from '../base/output.ts';
import { tableText } from './tableText.ts';

const columns = ['answers', 'input', 'from cache', 'to cache', 'output', 'reasoning', 'tokens', 'US$'];
const widestName = 60;

/** The ledger as a table, and a line for each thing that its figures leave open. */
export function usageText(by: UsageGroup, rows: readonly UsageRow[], total: UsageSums): string {
  if (rows.length === 0) return 'No model was asked yet.';
  const table = [
    [by, ...columns],
    ...rows.map((row) => [oneLine(row.key ?? `(no ${by})`, widestName), ...figures(row)]),
    ['total', ...figures(total)],
  ];
  return [tableText(table, [1, 2, 3, 4, 5, 6, 7, 8]), ...remarks(total)].join('\n');
}

function figures(sums: UsageSums): readonly string[] {
  const { answers, input, cacheRead, cacheWrite, output, reasoning, tokens } = sums;
  return [
    ...[answers, input, cacheRead, cacheWrite, output, reasoning, tokens].map((figure) =>
      figure.toLocaleString('en-US'),
    ),
    price(sums),
  ];
}

/** At least this much where some prices aren't known. */
function price({ money, unpriced }: UsageSums): string {
  return money === null ? '–' : `${unpriced > 0 ? '≥ ' : ''}${money.toFixed(4)}`;
}

function remarks({ unpriced, counted, answers }: UsageSums): readonly string[] {
  const of = (count: number): string => `${String(count)} of ${String(answers)} answers`;
  return [
    ...(unpriced > 0 ? [`No price is known for ${of(unpriced)}.`] : []),
    ...(counted > 0 ? [`The provider reported no tokens for ${of(counted)}; those are counted here.`] : []),
  ];
}
