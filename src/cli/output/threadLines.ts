import { filled } from '../../domain/core/errors.ts';
import { forgeTexts } from '../../domain/forge/forgeTexts.ts';
import { rowText, type ThreadRow } from '../../domain/forge/threadRows.ts';
import { oneLine, printable, section } from '../base/output.ts';

/** One line for each comment of what isn't resolved. */
export function threadLines(rows: readonly ThreadRow[]): string[] {
  const open = rows.filter(({ state }) => state === 'open');
  const lines = open.flatMap((row) => [
    `    ${printable(rowText(row))}`,
    ...row.comments.map(({ author, text }) => `      ${oneLine(author)}: ${oneLine(text, 300)}`),
  ]);
  return section('  Open comments on the pull request (all of them: --comments):', lines);
}

/** All that was written, with the hash of each thread. */
export function wholeThreads(rows: readonly ThreadRow[], left: number): string {
  const all = rows.map((row) =>
    [
      printable(rowText(row)),
      ...row.comments.flatMap(({ author, at, text, isCut }) => [
        `  ${oneLine(author)}, ${oneLine(at)}:`,
        ...printable(text)
          .split('\n')
          .map((line) => `    ${line}`),
        ...(isCut ? [`    [${forgeTexts.cut}]`] : []),
      ]),
      `  hash: ${row.sha256}`,
    ].join('\n'),
  );
  const more = left === 0 ? [] : [filled(forgeTexts.older, { 0: left })];
  return [...(all.length === 0 ? ['No comments.'] : all), ...more].join('\n\n');
}
