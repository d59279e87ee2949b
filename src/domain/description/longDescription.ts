const longestInPrompts = 150_000;
const beginning = 20_000;
const mostHeadings = 400;
const longestHeading = 160;

/** A worktree's file with the whole long description. */
export const descriptionFile = '.ticket/description.md';

/** True if prompts have only its beginning and outline. */
export function isLongDescription(description: string): boolean {
  return description.length > longestInPrompts;
}

/** A long description in prompts: its beginning, and its headings with line numbers. */
export function outlined(description: string): string {
  const lines = description.split('\n');
  const headings = headingsOf(lines);
  const left = headings.length - mostHeadings;
  const start = description.slice(0, beginning);
  return [
    start.slice(0, Math.max(start.lastIndexOf('\n'), 0) || start.length),
    '',
    `[The description continues. It has ${String(lines.length)} lines, and is whole in the file ${descriptionFile}: read the parts that concern your task.`,
    headings.length === 0 ? 'It has no headings.]' : 'Its headings, with their lines:]',
    ...headings.slice(0, mostHeadings),
    ...(left > 0 ? [`[and ${String(left)} more]`] : []),
  ].join('\n');
}

function headingsOf(lines: readonly string[]): readonly string[] {
  let fence = '';
  return lines.flatMap((line, index) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/u.exec(line)?.[1] ?? '';
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence)) fence = '';
    else return [];
    return mark === '' && /^ {0,3}#{1,6}\s+\S/u.test(line)
      ? [`line ${String(index + 1)}: ${line.trim().slice(0, longestHeading)}`]
      : [];
  });
}
