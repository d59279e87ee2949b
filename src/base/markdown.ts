import { largest } from './extremes.ts';

/** Escapes outside text for one line of Markdown. */
export function inline(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|]/g, '\\$&');
}

export function fenced(text: string, language: string): string {
  const fence = fenceFor(text);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

export function fenceFor(text: string): string {
  const longest = largest(
    [...text.matchAll(/`+/g)].map(([ticks]) => ticks.length),
    2,
  );
  return '`'.repeat(longest + 1);
}
