import { canonicalJson } from '../../../base/json.ts';
import { endMark, parsePromptFile } from '../../../context/promptFile.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import type { Parse } from './askTypes.ts';
import { parseApart } from './readApart.ts';

/** So many documents are looked for in one text, and so much of it is read. */
const mostDocuments = 20;
const longestText = 200_000;

/**
 * Reads answers as `parse` does, and refuses one that repeats the prompt: its example, or an answer that
 * someone wrote into `texts`, the material of others (docs/decisions/134-parties.md). So a verdict never
 * comes from what it judges.
 */
export function notQuoted<T>(
  parse: Parse<T>,
  prompt: string,
  texts: (io: StepIo) => Promise<readonly string[]>,
): { readonly inStep: (io: StepIo) => Promise<Parse<T>> } {
  return {
    inStep: async (io) => {
      const { body } = parsePromptFile(prompt, (await io.ports.prompts.read(prompt)).text);
      const known = new Set<string>();
      for (const text of [body, ...(await texts(io))]) {
        for (const part of text.slice(0, longestText).split(endMark).slice(0, mostDocuments)) {
          const read = await parseApart(io.ports.texts, parse, `${part.trim()}\n${endMark}`, io.signal);
          if (read.ok) known.add(canonicalJson(read.value));
        }
      }
      const own: Parse<T> = (text) => {
        const read = parse(text);
        return read.ok && known.has(canonicalJson(read.value)) ? { ok: false, problem: quoted } : read;
      };
      return parse.form ? Object.assign(own, { form: parse.form }) : own;
    },
  };
}

/** True if a document is only an example of these prompts: those are about no ticket, so never an answer. */
export async function isExample<T>(
  io: StepIo,
  parse: Parse<T>,
  value: T,
  prompts: readonly string[],
): Promise<boolean> {
  if (typeof value !== 'object' || value === null) return false;
  const said = canonicalJson(value);
  const texts = wordsOf(value);
  for (const prompt of prompts) {
    const { body } = parsePromptFile(prompt, (await io.ports.prompts.read(prompt)).text);
    if (!mayBeIn(texts, body)) continue;
    for (const part of body
      .replace(/^# .*$/m, '')
      .split(endMark)
      .slice(0, mostDocuments)) {
      const read = await parseApart(io.ports.texts, parse, `${part.trim()}\n${endMark}`, io.signal);
      if (read.ok && canonicalJson(read.value) === said) return true;
    }
  }
  return false;
}

function wordsOf(value: unknown): readonly (readonly string[])[] {
  if (typeof value === 'string') return [value.match(/[\p{L}\p{N}]+/gu) ?? []];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordsOf) : [];
}

/**
 * Tells whether these words can be a prompt's: half of them have to be there, and all of a longer text, since
 * a schema adds only short ones. To read the examples takes far longer.
 */
function mayBeIn(texts: readonly (readonly string[])[], prompt: string): boolean {
  if (texts.some((words) => words.length >= sentenceWords && !words.every((word) => prompt.includes(word))))
    return false;
  const all = texts.flat();
  return all.filter((word) => prompt.includes(word)).length * 2 >= all.length;
}

/** A text of so many words was written by a person or a model. */
const sentenceWords = 4;

/** The message to a model that repeats what its prompt holds. */
export const quoted =
  'The answer only repeats a document that is in the prompt. Answer for yourself, from what you read.';

/** A diff's added and removed lines without signs: what a change says to its reader. */
export function linesOfDiff(diff: string): string {
  return diff.replace(/^[+\- ]/gm, '');
}
