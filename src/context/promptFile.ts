import { parse } from 'yaml';
import * as z from 'zod';
import { BeadsmithError } from '../domain/core/errors.ts';
import { ToolPolicy } from '../domain/usage/promptPlan.ts';

const InputName = z
  .string()
  .regex(/^[a-z][a-z0-9_]*$/, 'An input is lower case letters, digits and underscores.');

const FrontMatter = z.strictObject({
  /** One sentence: what the prompt is for. */
  about: z.string().min(1).max(300),
  /** The holes of the body. */
  inputs: z.array(InputName),
  /** The most tokens of instructions and context, within the ticket's budget. 1,000,000: no own limit. */
  budget: z.number().int().nonnegative(),
  policy: ToolPolicy,
  /** The form of the answer, in a few words. */
  output: z.string().min(1).max(200),
  /** The beginning of the answer: its first key or its tag; each of several that it may begin with. */
  begins: z
    .array(
      z
        .string()
        .regex(/^[^\n`]+$/)
        .max(60),
    )
    .optional(),
  /**
   * Of the system prompt of an agent: its rules in short, for the end of a long prompt
   * (docs/decisions/151-rules-are-repeated-in-long-prompts.md).
   */
  rules: z.string().min(1).max(600).optional(),
});

/** A prompt file, read and checked. */
export interface PromptFile extends z.infer<typeof FrontMatter> {
  readonly name: string;
  readonly body: string;
}

const hole = /\{\{\s*([^{}]*?)\s*\}\}/g;

/**
 * Parses `prompts/<name>.md`: YAML front matter between `---` lines, then the body with `{{holes}}`. Throws
 * INVALID_INPUT when the front matter is wrong, when inputs and holes aren't the same set, or when the body
 * doesn't begin with its title line.
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

/** Fills the holes, each value literally. Throws INVALID_INPUT for a missing or an extra input. */
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
 * The values of the holes in a file's text; undefined for a text that it can't have written. A value ends at
 * the first place of what stands behind its hole, so that `renderPrompt` gives the same text.
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

/** The first line of a task's prompt. */
export function titleOf(name: string): string {
  return `# Beadsmith task: ${name}`;
}

/** Tasks begin with their title. Prompts that continue a session, additions, and agents' prompts don't. */
export function hasTitle(name: string): boolean {
  return (
    name !== 'continue' && name !== 'shorter-answer' && name !== 'preamble' && !name.startsWith('agent-')
  );
}

const closingStart = 'Do this task now. Your answer: ';
/** The last line of every structured answer. Without it, an answer may have been cut off. */
export const endMark = 'END_OF_ANSWER';

/**
 * The last line of a task's prompt: what to answer (`output`), how that begins, and its last line. Empty for
 * what is no task. `instructions`: the file's text, filled in.
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
