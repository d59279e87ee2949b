import { largest } from './extremes.ts';

/** Text from outside on a line of its own never becomes markup. */
export function inline(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|]/g, '\\$&');
}

/** Text in a fence that nothing in it closes. */
export function fenced(text: string, language: string): string {
  const fence = fenceFor(text);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

/** A fence that nothing in a text closes. */
export function fenceFor(text: string): string {
  const longest = largest(
    [...text.matchAll(/`+/g)].map(([ticks]) => ticks.length),
    2,
  );
  return '`'.repeat(longest + 1);
}
