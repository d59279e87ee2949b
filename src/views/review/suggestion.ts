import { fenceFor } from '../../base/markdown.ts';

/** As GitHub writes it. The editor indents what is typed, fences too. */
const block = /^[ \t]*(`{3,})suggestion[ \t]*\r?\n([^]*?)^[ \t]*\1[ \t]*$/m;

/** Fenced so that the lines can hold fences themselves. */
export function suggestionBlock(lines: string): string {
  const fence = fenceFor(lines);
  return `${fence}suggestion\n${lines}\n${fence}`;
}

/** Undefined when it suggests none. An empty text takes the lines out. */
export function suggestedLines(comment: string): string | undefined {
  return block.exec(comment)?.[2]?.replace(/\r?\n$/, '');
}

export function withoutSuggestion(comment: string): string {
  return comment.replace(block, '').trim();
}

/** Replaces lines (from 1, both included). The new ones get the line end of those they replace. */
export function replaceLines(
  content: string,
  place: { readonly line: number; readonly endLine: number },
  lines: string,
): string {
  const all = content.split(/(?<=\n)/);
  const replaced = all.slice(place.line - 1, place.endLine);
  const end = replaced.some((line) => line.endsWith('\r\n')) ? '\r\n' : '\n';
  const last = /\r?\n$/.exec(replaced.at(-1) ?? '')?.[0] ?? '';
  const instead = lines === '' ? '' : lines.split(/\r?\n/).join(end) + last;
  return [...all.slice(0, place.line - 1), instead, ...all.slice(place.endLine)].join('');
}
