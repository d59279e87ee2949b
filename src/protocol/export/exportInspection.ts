import type { InspectedCall } from '../inspection.ts';

/** Formats for inspected calls. */
export const inspectionFormats = ['csv', 'json', 'markdown'] as const;
/** One of them. */
export type InspectionFormat = (typeof inspectionFormats)[number];

const columns = [
  ...([
    'call',
    'started',
    'prompt',
    'model',
    'phase',
    'bead',
    'iteration',
    'row',
    'kind',
    'stability',
    'tokens',
  ] as const),
  ...(['predicted', 'reported', 'usd', 'price', 'sha256'] as const),
];
type Row = Readonly<Record<(typeof columns)[number], string | number | null>>;

/**
 * Inspected calls as a file (docs/prompt-cache.md): rows for parts, the rest, later requests and the answer,
 * which add up to tokens and cost. Unknown values are empty or null. Without prompts.
 */
export function exportInspection(calls: readonly InspectedCall[], format: InspectionFormat): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(calls, null, 2)}\n`;
    case 'csv':
      return `${[columns, ...calls.flatMap(rowsOf).map((row) => columns.map((column) => row[column]))].map((cells) => cells.map(csvCell).join(',')).join('\r\n')}\r\n`;
    case 'markdown':
      return calls.map(markdownOf).join('\n');
  }
}

function rowsOf(call: InspectedCall, index: number): readonly Row[] {
  const { id, startedAt, prompt, member, label, bead, iteration, parts, frameTokens, usage, reported, cost } =
    call;
  const price = cost === null ? null : cost.isListPrice ? 'list' : 'booked';
  const fixed = {
    call: id,
    started: new Date(startedAt).toISOString(),
    prompt,
    model: member,
    phase: label,
    bead,
    iteration,
  };
  const rest = (row: string, tokens: number | null, usd: number | undefined) => ({
    ...fixed,
    row,
    kind: null,
    stability: null,
    predicted: null,
    reported: null,
    sha256: null,
    tokens,
    usd: usd ?? null,
    price,
  });
  const later = usage && reported ? usage.input + usage.cacheRead + usage.cacheWrite - reported.prompt : null;
  const answer = usage ? usage.output + usage.reasoning : null;
  return [
    ...parts.map((part) => ({ ...fixed, row: part.name, ...part, usd: part.cost, price })),
    rest('(tools, agent and difference)', frameTokens, cost?.frame),
    rest('(later requests)', later, cost?.later),
    rest('(answer)', answer, cost?.output),
  ].map((row) => ({ ...row, call: String(index + 1) }));
}

/** Spreadsheets run what begins like a formula. */
function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function markdownOf(call: InspectedCall, index: number): string {
  const { prompt, member, label, bead, iteration, startedAt, reported, predicted, cost } = call;
  const place = bead === null ? label : `${label}, ${bead} #${String(iteration)}`;
  const shown = ['row', 'kind', 'tokens', 'predicted', 'reported', 'usd'] as const;
  const lines = rowsOf(call, index).map(
    (row) => `| ${shown.map((column) => markdownCell(row[column])).join(' | ')} |`,
  );
  const total = cost ? `US$ ${String(cost.total)}${cost.isListPrice ? ' (list price)' : ''}` : 'cost unknown';
  return [
    `## ${String(index + 1)}. ${markdownCell(prompt)}`,
    '',
    `${markdownCell(member)}, ${markdownCell(place)}, ${new Date(startedAt).toISOString()}. Prompt: ${markdownCell(reported?.prompt ?? null)} tokens, ${markdownCell(reported?.cacheRead ?? null)} from the cache, ${markdownCell(predicted.tokens)} predicted. ${total}.`,
    '',
    `| ${shown.join(' | ')} |`,
    `|${shown.map(() => '---').join('|')}|`,
    ...lines,
    '',
  ].join('\n');
}

function markdownCell(value: string | number | null): string {
  if (value === null) return '–';
  return String(value)
    .replace(/[\r\n]+/g, ' ')
    .replace(/[\\`*_{}[\]<>#|]/g, '\\$&');
}
