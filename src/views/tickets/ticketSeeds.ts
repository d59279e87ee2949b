import { fenceFor } from '../../base/markdown.ts';

/** The content that a new ticket starts with; the person still changes it. */
export interface TicketSeed {
  readonly title: string;
  readonly description: string;
}

/** A place in a file as people write it: path from the top of the checkout, line from 1. */
export interface CodePlace {
  readonly path: string;
  readonly line: number;
}

const longestTitle = 120;
const longestQuote = 20_000;

/** Selected text: code as a quote, below the place it stands in. */
export function fromSelection(text: string, place: CodePlace): TicketSeed {
  return { title: '', description: `${placeText(place)}\n\n${quoted(text)}` };
}

const todo = /(?:\/\/|#|\/\*|^\s*\*|--|;|<!--|%|""").*?\b(TODO|FIXME)\b[\s:(\-]*(.*)$/;

/**
 * A line with a TODO or FIXME comment; undefined for any other. Who it is for, as in `TODO(ada):`, is left
 * out of the title.
 */
export function fromTodo(line: string, place: CodePlace): TicketSeed | undefined {
  const [, word, rest = ''] = todo.exec(line) ?? [];
  if (word === undefined) return undefined;
  const said = rest.replace(/^\w+\)[\s:-]*/, '').replace(/\s*(?:\*\/|-->|""")\s*$/, '');
  return { title: oneLine(said), description: `${word}: ${placeText(place)}\n\n${quoted(line.trim())}` };
}

/** Returns the content for a problem that a language or a linter reports. */
export function fromProblem(
  problem: { readonly message: string; readonly source: string; readonly code: string },
  line: string,
  place: CodePlace,
): TicketSeed {
  const source = [problem.source, problem.code].filter((part) => part !== '').join(' ');
  const said = `${printable(problem.message)}${source === '' ? '' : ` (${source})`}`;
  return {
    title: oneLine(problem.message),
    description: `${placeText(place)}\n\n${said}\n\n${quoted(line.trim())}`,
  };
}

function placeText({ path, line }: CodePlace): string {
  return `${printable(path)}:${String(line)}`;
}

function oneLine(text: string): string {
  const line = text
    .replace(/\p{C}+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…` : line;
}

function quoted(text: string): string {
  const fence = fenceFor(text);
  return `${fence}\n${printable(text).slice(0, longestQuote)}\n${fence}`;
}

function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/gu, ' ');
}
