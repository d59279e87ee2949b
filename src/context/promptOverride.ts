import { BeadsmithError } from '../domain/core/errors.ts';
import type { ToolPolicy } from '../domain/usage/promptPlan.ts';
import { endMark, hasTitle, parsePromptFile, type PromptFile } from './promptFile.ts';

/** From the least to the most that an agent may do. */
const policies: readonly ToolPolicy[] = ['disabled', 'read_only', 'default', 'execution_setup_online'];
const longest = 100_000;

/** True if a person's file may replace a prompt (docs/decisions/100-own-prompts.md). */
export function isOverridable(name: string): boolean {
  return name === 'preamble' || (name !== 'shorter-answer' && hasTitle(name));
}

/** The reason why a person's file can't replace a prompt. */
export function overrideProblem(builtIn: PromptFile, text: string): string | undefined {
  if (text.length > longest) return `it is longer than ${String(longest)} characters`;
  const read = parsed(builtIn.name, text);
  if (typeof read === 'string') return read;
  if (policies.indexOf(read.policy) > policies.indexOf(builtIn.policy))
    return `its policy is ${read.policy}; it may not allow more than ${builtIn.policy}`;
  const odd = [...new Set(read.inputs).symmetricDifference(new Set(builtIn.inputs))];
  if (odd.length > 0)
    return `its inputs have to be ${builtIn.inputs.join(', ') || 'none'}; missing or extra: ${odd.join(', ')}`;
  if (read.budget > builtIn.budget) return `its budget may be ${String(builtIn.budget)} at most`;
  if (read.output !== builtIn.output) return `its output has to stay "${builtIn.output}"`;
  if (/^## /m.test(read.body))
    return 'it has a heading of the second level ("## "); those are kept for the parts of the context';
  return contractProblem(builtIn.body, read.body);
}

/** The form of an answer: its last line, its tags, the keys of its examples. */
function contractProblem(builtIn: string, body: string): string | undefined {
  const ending =
    builtIn.includes(`\n${endMark}\n`) || builtIn.endsWith(`\n${endMark}`)
      ? new RegExp(`^${endMark}$`, 'm')
      : new RegExp(endMark);
  if (builtIn.includes(endMark) && !ending.test(body))
    return `the line ${endMark} is missing, with which every answer has to end`;
  const tags = [...new Set(Array.from(builtIn.matchAll(/<\/?[A-Z][A-Z_]+>/g), ([tag]) => tag))].filter(
    (tag) => !body.includes(tag),
  );
  if (tags.length > 0) return `the form of the answer has to stay; missing: ${tags.join(', ')}`;
  const keys = keysOf(builtIn).filter((key) => !new RegExp(`\\b${key}\\b`).test(body));
  return keys.length > 0
    ? `the form of the answer has to stay; these keys are missing: ${keys.join(', ')}`
    : undefined;
}

function keysOf(body: string): readonly string[] {
  const blocks = Array.from(
    body.matchAll(/^```\w*\n([\s\S]*?)\n```$|^<([A-Z_]+)>\n([\s\S]*?)\n<\/\2>$|^(\{".*\})$/gm),
    ([block]) => block,
  );
  const keys = blocks.flatMap((block) =>
    Array.from(
      block.matchAll(/(?:^\s*(?:- )?|")([A-Za-z_]\w*)"?:(?=\s|$|["[{\d])/gm),
      ([, key]) => key ?? '',
    ),
  );
  return [...new Set(keys)].filter((key) => key !== '');
}

function parsed(name: string, text: string): PromptFile | string {
  try {
    return parsePromptFile(name, text);
  } catch (error) {
    if (error instanceof BeadsmithError && error.code === 'INVALID_INPUT')
      return String(error.args['reason']);
    throw error;
  }
}
