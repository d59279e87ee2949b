import * as z from 'zod';
import { RelativePath } from '../core/ids.ts';
import { VariableName } from './variables.ts';

/**
 * An ignored file that work needs: `copy` or `link` it into worktrees, or `leave` it. A person approves it
 * with the plan.
 */
export const WorktreeInput = z.object({
  path: RelativePath,
  use: z.enum(['copy', 'link', 'leave']),
  reason: z.string().default(''),
});
export type WorktreeInput = z.infer<typeof WorktreeInput>;

/** A driver's variable. With `pass`, commands get its value, which is stored nowhere. */
export const PassedVariable = z.object({
  name: VariableName,
  use: z.enum(['pass', 'leave']),
  reason: z.string().default(''),
});
export type PassedVariable = z.infer<typeof PassedVariable>;

/** A new plan's offers. Earlier decisions about the same path stay. */
export function mergeInputs(
  offers: readonly WorktreeInput[],
  before: readonly WorktreeInput[],
): WorktreeInput[] {
  return withOffers(before, offers, ({ path }) => path);
}

/** `mergeInputs` for variables. */
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

/** Variables that a configuration asks for (`$NAME`, `${NAME}`), or an example lists. */
export function variablesNamedIn(path: string, text: string): readonly string[] {
  const isExample = /(?:^|\/)\.env\.(?:example|sample|template)$/.test(path);
  const pattern = isExample
    ? /^[ \t]*(?:export[ \t]+)?([A-Z][A-Z0-9_]{1,63})[ \t]*=/gm
    : /\$\{?([A-Z][A-Z0-9_]{1,63})\b/g;
  return [...new Set([...text.matchAll(pattern)].flatMap(([, name]) => (name === undefined ? [] : [name])))];
}

/**
 * A file's secrets: values beside keys and long bare lines; no harmless words and numbers, unless the key
 * says secret.
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
