import { type Counted, importCases, tryImport } from './importCase.ts';

const columns: readonly (readonly [title: string, kind: Counted])[] = [
  ['tickets', 'ticket'],
  ['requirements', 'requirement'],
  ['criteria', 'criterion'],
  ['open tasks', 'task'],
  ['dependencies', 'dependency'],
  ['done left out', 'done'],
  ['named unknown', 'unknown'],
];

/** Prints what of each input is found again in its drafts, of what is expected. Answers the exit code. */
export function printImport(): number {
  const rows = importCases().map(tryImport);
  const head = columns.map(([title]) => title.padStart(title.length + 2)).join('');
  console.log(`  ${'input'.padEnd(42)}${head}`);
  for (const { name, counts, missing } of rows) {
    const cells = columns.map(([title, kind]) => {
      const { found, expected } = counts[kind];
      return (expected === 0 ? '–' : `${String(found)}/${String(expected)}`).padStart(title.length + 2);
    });
    console.log(`${missing.length === 0 ? '✔' : '✘'} ${name.padEnd(42)}${cells.join('')}`);
    for (const one of missing) console.log(`    ✘ ${one}`);
  }
  const sums = columns.map(([title, kind]) => {
    const all = rows.map(({ counts }) => counts[kind]);
    const sum = (of: 'found' | 'expected'): number => all.reduce((so, one) => so + one[of], 0);
    return `${String(sum('found'))} of ${String(sum('expected'))} ${title}`;
  });
  const wrong = rows.filter(({ missing }) => missing.length > 0).length;
  console.log(`\n${String(rows.length)} inputs, ${String(wrong)} wrong: ${sums.join(', ')}`);
  return wrong === 0 ? 0 : 1;
}
