import { importCases, tryImport } from './importCase.ts';

/** Prints what the drafts of the corpus hold. Answers the exit code. */
export function printImport(): number {
  const rows = importCases().map(tryImport);
  console.log('     case                              tickets  reqs  criteria  open  done  deps  unknown');
  for (const { name, missing, ...counts } of rows) {
    const { tickets, requirements, criteria, open, done, dependencies, unknown } = counts;
    const cells = [tickets, requirements, criteria, open, done, dependencies, unknown];
    const widths = [9, 6, 10, 6, 6, 6, 9];
    const line = cells.map((cell, place) => String(cell).padStart(widths[place] ?? 0)).join('');
    console.log(`${missing.length === 0 ? '✔' : '✘'} ${name.padEnd(37)}${line}`);
    for (const one of missing) console.log(`    ✘ ${one}`);
  }
  const wrong = rows.filter(({ missing }) => missing.length > 0).length;
  console.log(`\n${String(rows.length)} inputs, ${String(wrong)} wrong`);
  return wrong === 0 ? 0 : 1;
}
