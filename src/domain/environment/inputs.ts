import * as z from 'zod';
import { RelativePath } from '../core/ids.ts';
import { VariableName } from './variables.ts';

/**
 * Something that git ignores and the work needs. `copy` and `link` put it into the ticket's worktrees,
 * `leave` doesn't. A person decides by approving the plan that lists it.
 */
export const WorktreeInput = z.object({
  path: RelativePath,
  use: z.enum(['copy', 'link', 'leave']),
  reason: z.string().default(''),
});
export type WorktreeInput = z.infer<typeof WorktreeInput>;

/** A variable of the driver. With `pass` the engine's commands get its value, which is stored nowhere. */
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
  return withOffers(before, offers, ({ path }) => path);
}

/** As `mergeInputs`, for variables. */
export function mergeVariables(
  offers: readonly PassedVariable[],
  before: readonly PassedVariable[],
): PassedVariable[] {
  return withOffers(before, offers, ({ name }) => name);
}

function withOffers<T>(before: readonly T[], offers: readonly T[], nameOf: (one: T) => string): T[] {
  const known = new Set(before.map(nameOf));
  const fresh = offers.filter((offer) => !known.has(nameOf(offer)) && known.add(nameOf(offer)));
  return [...before, ...fresh];
}

/** The variables that a configuration asks for as `$NAME` or `${NAME}`, or an example lists. */
export function variablesNamedIn(path: string, text: string): readonly string[] {
  const isExample = /(?:^|\/)\.env\.(?:example|sample|template)$/.test(path);
  const pattern = isExample
    ? /^[ \t]*(?:export[ \t]+)?([A-Z][A-Z0-9_]{1,63})[ \t]*=/gm
    : /\$\{?([A-Z][A-Z0-9_]{1,63})\b/g;
  return [...new Set([...text.matchAll(pattern)].flatMap(([, name]) => (name === undefined ? [] : [name])))];
}

/**
 * Returns what must not be shown of a file: the values beside its keys, and long lines without one, but no
 * words and numbers that say nothing, unless their key calls them secret.
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
