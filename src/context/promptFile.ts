import { parse } from 'yaml';
import * as z from 'zod';
import { BeadsmithError } from '../domain/core/errors.ts';
import { ToolPolicy } from '../domain/usage/promptPlan.ts';

const InputName = z
  .string()
  .regex(/^[a-z][a-z0-9_]*$/, 'An input is lower case letters, digits and underscores.');

const FrontMatter = z.strictObject({
  /** The purpose, in one sentence. */
  about: z.string().min(1).max(300),
  inputs: z.array(InputName),
  /** Tokens of instructions and context; 1,000,000: no own limit. */
  budget: z.number().int().nonnegative(),
  policy: ToolPolicy,
  /** In a few words. */
  output: z.string().min(1).max(200),
  /** A key or a tag. */
  begins: z
    .array(
      z
        .string()
        .regex(/^[^\n`]+$/)
        .max(60),
    )
    .optional(),
  /** Short rules of an agent (docs/decisions/151-rules-are-repeated-in-long-prompts.md). */
  rules: z.string().min(1).max(600).optional(),
});

export interface PromptFile extends z.infer<typeof FrontMatter> {
  readonly name: string;
  readonly body: string;
}

const hole = /\{\{\s*([^{}]*?)\s*\}\}/g;

/**
 * Parses `prompts/<name>.md`: YAML front matter, then a body with `{{holes}}`. INVALID_INPUT when inputs and
 * holes differ, or front matter or title is wrong.
 */
export function parsePromptFile(name: string, text: string): PromptFile {
  const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(
    text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'),
  );
  if (!match) throw refused(name, 'it has no front matter');
  const front = FrontMatter.safeParse(readYaml(name, match[1] ?? ''));
  if (!front.success) throw refused(name, z.prettifyError(front.error));
  const body = (match[2] ?? '').trim();

  const holes = new Set(Array.from(body.matchAll(hole), ([, input]) => input ?? ''));
  const inputs = new Set(front.data.inputs);
  if (inputs.size !== front.data.inputs.length) throw refused(name, 'an input is listed twice');
  const odd = [...holes.symmetricDifference(inputs)];
  if (odd.length > 0) throw refused(name, `its inputs and holes differ: ${odd.join(', ')}`);
  if (hasTitle(name) && body.split('\n', 1)[0] !== titleOf(name))
    throw refused(name, `it doesn't begin with "${titleOf(name)}"`);
  return { ...front.data, name, body };
}

/** Fills the holes literally. INVALID_INPUT for a missing or an extra input. */
export function renderPrompt(file: PromptFile, inputs: Readonly<Record<string, string>>): string {
  const odd = [...new Set(file.inputs).symmetricDifference(new Set(Object.keys(inputs)))];
  if (odd.length > 0)
    throw refused(
      file.name,
      `it takes ${file.inputs.join(', ') || 'no input'}; missing or extra: ${odd.join(', ')}`,
    );
  return file.body.replace(hole, (_hole, input: string) => inputs[input] ?? '');
}

/**
 * The reverse of `renderPrompt`; undefined for another text. A value ends at the first place of what follows
 * its hole.
 */
export function readInputs(file: PromptFile, text: string): Readonly<Record<string, string>> | undefined {
  const [first = '', ...rest] = file.body.split(hole);
  const found = new Map<string, string>();
  let at = first.length;
  for (let index = 0; index < rest.length; index += 2) {
    const [name = '', behind = ''] = rest.slice(index, index + 2);
    const end = index + 2 < rest.length ? text.indexOf(behind, at) : text.length - behind.length;
    if (end < at) return undefined;
    if (!found.has(name)) found.set(name, text.slice(at, end));
    at = end + behind.length;
  }
  const inputs = Object.fromEntries(found);
  return renderPrompt(file, inputs) === text ? inputs : undefined;
}

export function titleOf(name: string): string {
  return `# Beadsmith task: ${name}`;
}

/** Not continuations, additions and agents' prompts. */
export function hasTitle(name: string): boolean {
  return (
    name !== 'continue' && name !== 'shorter-answer' && name !== 'preamble' && !name.startsWith('agent-')
  );
}

const closingStart = 'Do this task now. Your answer: ';
/** Without it, an answer may have been cut off. */
export const endMark = 'END_OF_ANSWER';

/**
 * The form of the answer (`output`), its beginning and end; empty if not a task. `instructions`: rendered.
 */
export function closingOf({ name, output, begins = [] }: PromptFile, instructions: string): string {
  if (!hasTitle(name)) return '';
  const first = begins.map((text) => `\`${text}\``).join(' or ');
  const last = instructions.includes(endMark) ? `the line ${endMark}` : '';
  const form = [first === '' ? '' : `begins with ${first}`, last === '' ? '' : `ends with ${last}`].filter(
    (text) => text !== '',
  );
  return `${closingStart}${output}.${form.length === 0 ? '' : ` It ${form.join(' and ')}.`}`;
}

/** A prompt that was sent, without its closing line. */
export function withoutClosing(text: string): { readonly text: string; readonly closing: string } {
  const at = text.lastIndexOf(`\n\n${closingStart}`);
  const closing = at < 0 ? '' : text.slice(at + 2);
  return closing === '' || closing.includes('\n')
    ? { text, closing: '' }
    : { text: text.slice(0, at), closing };
}

function readYaml(name: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw refused(name, error instanceof Error ? error.message : String(error));
  }
}

function refused(name: string, reason: string): BeadsmithError {
  return new BeadsmithError('INVALID_INPUT', { what: `The prompt "${name}"`, reason });
}
