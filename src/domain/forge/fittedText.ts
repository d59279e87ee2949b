/** GitHub refuses a longer text of a pull request. */
export const mostTextChars = 65_536;

/** For what is said of sections that are left out. */
const reserve = 1_000;

/**
 * A Markdown text of at most `most` characters. Sections (`##`) that no longer fit are left out whole, later
 * ones that do are kept, and the end says which are missing and why. Only a first section that is too long is
 * cut, at a line in the first half.
 */
export function fittedText(text: string, most: number): string {
  if (text.length <= most) return text;
  let room = most - reserve;
  const left: string[] = [];
  const kept = sectionsOf(text).flatMap(({ heading, text: section }, at) => {
    if (section.length + 2 <= room) {
      room -= section.length + 2;
      return [section];
    }
    left.push(heading === '' ? 'the end of the first part' : at === 0 ? `the end of ${heading}` : heading);
    if (at > 0) return [];
    const start = cut(section, room / 2);
    room -= start.length + 2;
    return [start];
  });
  const names = left.join(', ');
  const shown = names.length <= reserve / 2 ? names : `${names.slice(0, reserve / 2)}…`;
  return `${kept.join('\n\n')}\n\n… Left out, because GitHub takes ${mostTextChars.toLocaleString('en')} characters at most: ${shown}. The ticket in Beadsmith has all of it.`;
}

interface Section {
  readonly heading: string;
  readonly text: string;
}

/** Headings in code are none. */
function sectionsOf(text: string): readonly Section[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }];
  let fence = '';
  for (const line of text.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence)) fence = '';
    const heading = fence === '' ? /^## (.+)$/.exec(line)?.[1] : undefined;
    if (heading === undefined) sections.at(-1)?.lines.push(line);
    else sections.push({ heading, lines: [line] });
  }
  return sections
    .map(({ heading, lines }) => ({ heading, text: lines.join('\n').trim() }))
    .filter(({ text: section }) => section !== '');
}

function cut(section: string, most: number): string {
  const start = section.slice(0, Math.max(0, section.lastIndexOf('\n', most - 10))).trimEnd();
  const open = start.split('\n').reduce((fence, line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    return fence === '' ? mark : mark.startsWith(fence) ? '' : fence;
  }, '');
  return open === '' ? start : `${start}\n${open}`;
}
