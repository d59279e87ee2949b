import { jsonrepair } from 'jsonrepair';
import { parse } from 'yaml';
import type { Settled } from '../../base/result.ts';

/**
 * Reads YAML or JSON that a model wrote. JSON that is a little off is mended; YAML is tried as it is and then with plain scalars quoted that hold
 * a colon. No custom tags, few aliases: the text is hostile.
 */
export function decode(text: string): Settled<unknown, string> {
  return /^[[{]/.test(text) ? decodeJson(text) : decodeYaml(text);
}

/** Reads one JSON value; a broken one is mended if that is possible. */
export function decodeJson(text: string): Settled<unknown, string> {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    try {
      return { ok: true, value: JSON.parse(jsonrepair(text)) as unknown };
    } catch {
      return { ok: false, error: `It is not valid JSON: ${messageOf(error)}` };
    }
  }
}

function decodeYaml(text: string): Settled<unknown, string> {
  try {
    return { ok: true, value: readYaml(text) };
  } catch (error) {
    try {
      return { ok: true, value: readYaml(quoted(text)) };
    } catch {
      return { ok: false, error: `It is not valid YAML: ${messageOf(error)}` };
    }
  }
}

function readYaml(text: string): unknown {
  return parse(text, { schema: 'core', maxAliasCount: 20, prettyErrors: true, logLevel: 'error' });
}

/** Quotes plain scalars that hold ": " or " #", the usual slip: `title: Fix: the parser`. */
function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const match = /^(\s*(?:- )*(?:[\w-]+:\s+)?)([^\s'"|>[{&*!#%@`-].*(?:: | #).*)$/.exec(line.replaceAll('\t', '  '));
      return match ? `${match[1] ?? ''}${JSON.stringify(match[2] ?? '')}` : line.replaceAll('\t', '  ');
    })
    .join('\n');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 1_000) : String(error);
}
