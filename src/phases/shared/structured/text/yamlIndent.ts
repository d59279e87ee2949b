import { smallest } from '../../../../base/extremes.ts';
import { indentOf, mapLines } from './yamlLines.ts';

/**
 * Puts a line that stands between two levels on the one it belongs to: that of the line before, or the
 * nearest that is open.
 */
export function aligned(text: string, keys: ReadonlySet<string>): string {
  const open: { indent: number; fixed: number; isItem: boolean }[] = [];
  let opens = true;
  return mapLines(text, keys, {
    head: (head, { value }) => {
      const indent = indentOf(head);
      const isItem = head.trimStart().startsWith('-');
      const top = open.at(-1);
      let place = open.findLastIndex((level) => level.indent <= indent);
      const level = open[place];
      const deeper = level && indent > level.indent;
      if (top && deeper && place < open.length - 1) {
        // Between two levels: the nearer one, the deeper when both are as near.
        const above = open[place + 1];
        if (above && (isItem || !above.isItem) && above.indent - indent <= indent - level.indent) place++;
      }
      const isChild = deeper === true && place === open.length - 1 && (opens || isItem);
      if (isChild || !level)
        open.push({ indent, fixed: level ? level.fixed + (indent - level.indent) : indent, isItem });
      else open.length = place + 1;
      const fixed = open.at(-1)?.fixed ?? indent;
      opens = value.trim() === '';
      if (isItem) {
        const inner = head.length - head.trimStart().replace(/^(?:-[ \t]+)+/, '').length;
        open.push({ indent: inner, fixed: fixed + inner - indent, isItem: false });
      }
      return `${' '.repeat(fixed)}${head.trimStart()}`;
    },
  });
}

/** Tabs that indent, as two spaces each; others as one. */
export function headWithoutTabs(head: string): string {
  return head.replace(/^[\t ]+/, (indent) => indent.replaceAll('\t', '  ')).replaceAll('\t', ' ');
}

export function blockWithoutTabs(lines: readonly string[]): readonly string[] {
  const full = lines.filter((line) => line.trim() !== '');
  const indents = full.map((line) => /^\t*/.exec(line)?.[0].length ?? 0);
  const base = smallest(indents, Infinity);
  return base === 0
    ? lines
    : lines.map((line) =>
        line.replace(/^\t*/, (tabs) => ' '.repeat(2 * Math.min(base, tabs.length)) + tabs.slice(base)),
      );
}
