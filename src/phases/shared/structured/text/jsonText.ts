import { jsonrepair } from 'jsonrepair';
import type { Settled } from '../../../../base/result.ts';
import { literalBackslashes } from './escapes.ts';

/** A JSON text that can be parsed, and what comes after it. */
export interface JsonText {
  readonly text: string;
  readonly rest: string;
}

/**
 * The JSON value at the start of a text: everything up to the bracket that closes it. A text that ends before
 * is refused, whatever a repair would make of it; quotes inside of texts are told from those that end them by
 * what follows.
 */
export function jsonText(source: string): Settled<JsonText, string> {
  const closed = closedJson(source);
  if (closed === undefined)
    return { ok: false, error: 'The JSON ends before its brackets and quotes are closed.' };
  const text = literalBackslashes(closed.text);
  const rest = source.slice(closed.length);
  if (isJson(text)) return { ok: true, value: { text, rest } };
  try {
    const repaired = jsonrepair(text);
    return isJson(repaired)
      ? { ok: true, value: { text: repaired, rest } }
      : { ok: false, error: 'It is not valid JSON.' };
  } catch (error) {
    return {
      ok: false,
      error: `It is not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const closers: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/**
 * The text up to the bracket that closes the first one, with quotes inside of texts escaped. Undefined when
 * it isn't closed.
 */
function closedJson(source: string): { readonly text: string; readonly length: number } | undefined {
  const open: string[] = [];
  const parts: string[] = [];
  for (let at = 0; at < source.length;) {
    const character = source.charAt(at);
    const comment =
      character === '/' || character === '#'
        ? /^(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/|#[^\n]*)/.exec(source.slice(at, at + 2_000))
        : null;
    if (comment) {
      at += comment[0].length;
      continue;
    }
    if (
      character === '"' ||
      character === '“' ||
      (character === "'" && /[[{,:]\s*$/.test(source.slice(Math.max(0, at - 200), at)))
    ) {
      const text = textAt(source, at, character === '“' ? '”' : character);
      if (text === undefined) return undefined;
      parts.push(text.written);
      at += text.length;
      continue;
    }
    if (character in closers) open.push(closers[character] ?? '');
    else if ((character === ']' || character === '}') && open.pop() !== character) return undefined;
    parts.push(character);
    at++;
    if (open.length === 0) return { text: parts.join(''), length: at };
  }
  return undefined;
}

/** A text in quotes: it ends at a quote that a comma, a colon, a bracket or a line's end follows. */
function textAt(
  source: string,
  start: number,
  quote: string,
): { readonly written: string; readonly length: number } | undefined {
  let inner = '';
  for (let at = start + 1; at < source.length; at++) {
    const character = source.charAt(at);
    if (character === '\\') {
      inner += source.slice(at, at + 2);
      at++;
    } else if (character === quote && /^\s*(?:[,\]}:]|\/\/|\/\*|$)/.test(source.slice(at + 1, at + 60))) {
      return { written: `"${quote === "'" ? inner.replaceAll("\\'", "'") : inner}"`, length: at + 1 - start };
    } else
      inner +=
        character === '"' ? '\\"' : character === '\n' ? '\\n' : character === '\t' ? '\\t' : character;
  }
  return undefined;
}
