import type { Settled } from '../../../../base/result.ts';
import { asWritten, type Repair, literalBackslashes } from './repair.ts';
import { textsOf, treeOf, type Tree } from './tree.ts';
import { yamlRules } from './yamlRules.ts';
import { jsonrepair } from 'jsonrepair';

export interface Decoded {
  readonly tree: Tree;
  readonly repairs: readonly Repair[];
  readonly rest: string;
}

/**
 * A repair that would change a text is refused (docs/decisions/091-repairs.md). `keys`: those that exist,
 * bare.
 */
export function decode(text: string, keys: ReadonlySet<string>): Settled<Decoded, string> {
  const decoded = /^[[{]/.test(text) ? decodeJson(text) : decodeYaml(text, keys);
  if (!decoded.ok || decoded.value.repairs.length === 0 || keepsTexts(decoded.value.tree, text))
    return decoded;
  return {
    ok: false,
    error:
      'It can only be read by changing its texts. Put every text in double quotes, with inner quotes escaped.',
  };
}

function decodeJson(text: string): Settled<Decoded, string> {
  const json = jsonText(text);
  if (!json.ok) return json;
  const tree = treeOf(json.value.text.replaceAll('\t', ' '));
  const written = text.slice(0, text.length - json.value.rest.length);
  return tree.ok
    ? {
        ok: true,
        value: {
          tree: tree.value,
          rest: json.value.rest,
          repairs: json.value.text === written ? [] : [repairOf('json', written, json.value.text)],
        },
      }
    : tree;
}

function decodeYaml(text: string, keys: ReadonlySet<string>): Settled<Decoded, string> {
  const repairs: Repair[] = [];
  let repaired = text;
  const apply = ({ name, repair }: (typeof yamlRules)[number]): boolean => {
    const next = repair(repaired, keys);
    if (next === repaired) return false;
    repairs.push(repairOf(name, repaired, next));
    repaired = next;
    return true;
  };
  for (const rule of yamlRules) if (rule.always) apply(rule);
  const first = treeOf(repaired);
  let tree = first;
  for (const rule of yamlRules) {
    if (tree.ok) break;
    if (!rule.always && apply(rule)) tree = treeOf(repaired);
  }
  if (tree.ok) return { ok: true, value: { tree: tree.value, repairs, rest: '' } };
  return { ok: false, error: `It is not valid YAML: ${asWritten(first.ok ? tree.error : first.error)}` };
}

function repairOf(rule: string, before: string, after: string): Repair {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const at = old.findIndex((line, index) => line !== now[index]);
  return { rule, before: shortened(old[at] ?? before), after: shortened(now[at] ?? after) };
}

function shortened(text: string): string {
  return text.replaceAll('\uE000', '').trim().slice(0, 300);
}

/** Every text of a repaired document is in what the model wrote, spaces and escapes apart. */
function keepsTexts(tree: Tree, source: string): boolean {
  const written = squeezed(source);
  let from = 0;
  return textsOf(tree).every((text) => {
    const forms = [squeezed(text), squeezed(JSON.stringify(text))];
    // The texts stand there in their order: the next one is nearly always close to the one before.
    const near = forms.find((form) => {
      const at = written.slice(from, from + form.length + nearby).indexOf(form);
      if (at >= 0) from += at + form.length;
      return at >= 0;
    });
    return near !== undefined || forms.some((form) => written.includes(form));
  });
}

const nearby = 1_000;

function squeezed(text: string): string {
  return text.replaceAll(/[\s\\"'“”\u00A0]+/g, '');
}

/** One that isn't closed is refused, whatever a repair would make of it. */
function jsonText(source: string): Settled<Pick<Decoded, 'rest'> & { readonly text: string }, string> {
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

/** Inner quotes are escaped. */
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
