import { checkItem, headingOf, joinedLines, listItem } from './markdownLines.ts';
import type { ImportedRequirement } from './imported.ts';

/**
 * Criteria of a field. Each item of a list is one, and so is any other line; what is indented belongs to the
 * one before it, and headings are only text.
 */
export function criteriaOf(field: string, id: string): Pick<ImportedRequirement, 'text' | 'criteria'> {
  const found: { text: string; met: boolean }[] = [];
  const rest: string[] = [];
  for (const line of field.split(/\r\n?|\n/u)) {
    if (line.trim() === '') continue;
    const heading = headingOf(line);
    if (heading) {
      rest.push(`**${heading.text}**`, '');
      continue;
    }
    const checked = checkItem(line);
    const last = found.at(-1);
    const item = checked?.text ?? listItem(line)?.text;
    if (item === undefined && last && /^\s/u.test(line)) last.text += `\n${line.trim()}`;
    else found.push({ text: item ?? line.trim(), met: checked?.done ?? false });
  }
  return {
    text: joinedLines(rest),
    criteria: found.map((one, index) => ({ id: `${id}.AC${String(index + 1)}`, ...one })),
  };
}
