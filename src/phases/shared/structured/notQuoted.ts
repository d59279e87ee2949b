import type * as z from 'zod';
import { canonicalJson } from '../../../base/json.ts';
import { endMark, parsePromptFile } from '../../../context/promptFile.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import type { Call, Parse } from './askTypes.ts';
import { parseStructured } from './parseStructured.ts';
import { parseApart } from './readApart.ts';

const mostDocuments = 20;
const longestText = 200_000;

/**
 * The fields of a call that refuses an answer that repeats the prompt's example or one of `texts`, the
 * material of others, so that a verdict never comes from what it judges (docs/decisions/134-parties.md).
 */
export function notQuoted<T>(
  prompt: string,
  result: z.ZodType<T>,
  texts: (io: StepIo) => Promise<readonly string[]>,
  parse: Parse<T> = parseStructured({ schema: result }),
): Pick<Call<T>, 'prompt' | 'parse' | 'result'> {
  const inStep = async (io: StepIo): Promise<Parse<T>> => {
    const known = new Set<string>();
    for (const text of [await bodyOf(io, prompt), ...(await texts(io))])
      for await (const document of documentsIn(io, parse, text.slice(0, longestText))) known.add(document);
    const own: Parse<T> = (text) => {
      const read = parse(text);
      return read.ok && known.has(canonicalJson(read.value)) ? { ok: false, problem: quoted } : read;
    };
    return parse.form ? Object.assign(own, { form: parse.form }) : own;
  };
  return { prompt, parse: { inStep }, result };
}

/** The examples of prompts are about no ticket, so never an answer. */
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
    const body = await bodyOf(io, prompt);
    if (!mayBeIn(texts, body)) continue;
    for await (const document of documentsIn(io, parse, body.replace(/^# .*$/m, '')))
      if (document === said) return true;
  }
  return false;
}

async function bodyOf(io: StepIo, prompt: string): Promise<string> {
  return parsePromptFile(prompt, (await io.ports.prompts.read(prompt)).text).body;
}

/** The documents of a text as canonical JSON. */
async function* documentsIn<T>(io: StepIo, parse: Parse<T>, text: string): AsyncIterable<string> {
  for (const part of text.split(endMark).slice(0, mostDocuments)) {
    const read = await parseApart(io.ports.texts, parse, `${part.trim()}\n${endMark}`, io.signal);
    if (read.ok) yield canonicalJson(read.value);
  }
}

function wordsOf(value: unknown): readonly (readonly string[])[] {
  if (typeof value === 'string') return [value.match(/[\p{L}\p{N}]+/gu) ?? []];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordsOf) : [];
}

/** A schema adds only short texts. To read the examples takes far longer. */
function mayBeIn(texts: readonly (readonly string[])[], prompt: string): boolean {
  if (texts.some((words) => words.length >= sentenceWords && !words.every((word) => prompt.includes(word))))
    return false;
  const all = texts.flat();
  return all.filter((word) => prompt.includes(word)).length * 2 >= all.length;
}

const sentenceWords = 4;

export const quoted =
  'The answer only repeats a document that is in the prompt. Answer for yourself, from what you read.';

export function linesOfDiff(diff: string): string {
  return diff.replace(/^[+\- ]/gm, '');
}
