import * as z from 'zod';
import { RelativePath } from '../core/ids.ts';
import { VariableName } from './variables.ts';

/**
 * Something of the person's checkout that git ignores and the work needs. `copy` and `link` put it into the
 * worktrees of the ticket, `leave` doesn't. A person decides by approving the plan that lists it.
 */
export const WorktreeInput = z.object({
  path: RelativePath,
  use: z.enum(['copy', 'link', 'leave']),
  reason: z.string().default(''),
});
export type WorktreeInput = z.infer<typeof WorktreeInput>;

/**
 * A variable of the driver's environment. With `pass` the engine's commands get its value, which is stored
 * nowhere.
 */
export const PassedVariable = z.object({
  name: VariableName,
  use: z.enum(['pass', 'leave']),
  reason: z.string().default(''),
});
export type PassedVariable = z.infer<typeof PassedVariable>;

/** The offers of a new plan. What a person decided about the same path in the plan before stays. */
export function mergeInputs(
  offers: readonly WorktreeInput[],
  before: readonly WorktreeInput[],
): WorktreeInput[] {
  const decided = new Map(before.map((input) => [input.path, input]));
  const fresh = offers.filter(
    ({ path }, index) => !decided.has(path) && offers.findIndex((other) => other.path === path) === index,
  );
  return [...before, ...fresh];
}

/** As `mergeInputs`, for variables. */
export function mergeVariables(
  offers: readonly PassedVariable[],
  before: readonly PassedVariable[],
): PassedVariable[] {
  const decided = new Set(before.map(({ name }) => name));
  return [
    ...before,
    ...offers.filter(
      ({ name }, index) => !decided.has(name) && offers.findIndex((other) => other.name === name) === index,
    ),
  ];
}

/**
 * The variables that a configuration file asks for as `$NAME` or `${NAME}`, and those that an example of an
 * environment file lists.
 */
export function variablesNamedIn(path: string, text: string): readonly string[] {
  const isExample = /(?:^|\/)\.env\.(?:example|sample|template)$/.test(path);
  const pattern = isExample
    ? /^[ \t]*(?:export[ \t]+)?([A-Z][A-Z0-9_]{1,63})[ \t]*=/gm
    : /\$\{?([A-Z][A-Z0-9_]{1,63})\b/g;
  return [...new Set([...text.matchAll(pattern)].flatMap(([, name]) => (name === undefined ? [] : [name])))];
}

/**
 * Returns what must not be shown of a file that a worktree got: the values beside its keys, and long lines
 * without one. Words and numbers that say nothing by themselves aren't included, unless their key says that
 * they are secret.
 */
export function secretsIn(text: string): readonly string[] {
  const found = new Set<string>();
  for (const whole of text.split('\n')) {
    const line = whole.trim();
    if (line.length < 4) continue;
    const [, key = '', given = ''] = /^(?:export\s+)?["']?([\w.-]{1,100})["']?\s*[:=](.+)$/.exec(line) ?? [];
    const value = given
      .trim()
      .replace(/,$/, '')
      .trimEnd()
      .replace(/^(["'`])(.*)\1$/, '$2')
      .trim();
    const isSecret = /key|token|secret|pass|pwd|credential|auth|dsn/i.test(key);
    const says = !/^(?:[A-Za-z]{1,14}|[\d.:]+)$/.test(value);
    if (value.length >= 4 && (isSecret || says)) found.add(value);
    if (key === '' && line.length >= 16) found.add(line);
  }
  return [...found];
}
