import type { InspectedCall } from '../../protocol/inspection.ts';
import { oneLine } from '../base/output.ts';
import { tableText } from './tableText.ts';

interface RehearsalSum {
  readonly calls: number;
  readonly tokens: number;
  readonly money: number | null;
  readonly model: string | null;
  readonly whole: boolean;
  readonly status: string | null;
}

/** The calls of a rehearsal, one a line with its largest parts, and what they come to. */
export function rehearsalText(
  calls: readonly InspectedCall[],
  { tokens, money, model, whole, status }: RehearsalSum,
): string {
  const table = [
    ['call', 'prompt', 'model', 'in', 'tokens', 'parts'],
    ...calls.map(({ prompt, member, label, bead, parts }, index) => [
      String(index + 1),
      oneLine(prompt, 40),
      oneLine(member, 40),
      oneLine(bead === null ? label : `${label}, ${bead}`, 50),
      parts.reduce((sum, part) => sum + part.tokens, 0).toLocaleString('en'),
      oneLine(parts.map((part) => `${part.name} ${part.tokens.toLocaleString('en')}`).join(', '), 160),
    ]),
  ];
  const price =
    money === null
      ? ''
      : `, US$ ${money.toFixed(4)} at the list price of ${oneLine(model ?? '', 60)} without a cache`;
  return [
    '',
    tableText(table, [0, 4]),
    '',
    `${String(calls.length)} calls, ${tokens.toLocaleString('en')} tokens of prompts${price}. No model was asked: the answers were scripted.`,
    ...(whole ? [] : [`The rehearsal ended in ${status ?? 'an error'}, so that later calls are missing.`]),
  ].join('\n');
}
