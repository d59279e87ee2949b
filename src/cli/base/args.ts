import { parseArgs } from 'node:util';

/** Bad command line: exit 2, with the command's usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** `value`: the placeholder that `help` shows; without one, the option is a switch. */
export interface OptionSpec {
  readonly about: string;
  readonly value?: string;
  readonly many?: boolean;
}
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

export class Args {
  readonly positionals: readonly string[];
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>, positionals: readonly string[]) {
    this.#values = values;
    this.positionals = positionals;
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  list(name: string): readonly string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  }

  /** Throws UsageError unless it is a whole number. */
  whole(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} takes a whole number, not "${text}".`);
    return Number(text);
  }

  oneOf<T extends string>(name: string, choices: readonly T[], otherwise: T): T {
    const text = this.text(name);
    if (text === undefined) return otherwise;
    const choice = choices.find((known) => known === text);
    if (choice === undefined)
      throw new UsageError(`--${name} is one of ${choices.join(', ')}, not "${text}".`);
    return choice;
  }
}

/** Throws UsageError. */
export function parseWords(argv: readonly string[], options: OptionSpecs): Args {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      strict: true,
      options: Object.fromEntries(
        Object.entries(options).map(([name, { value, many = false }]) => [
          name,
          { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: many },
        ]),
      ),
    });
    return new Args(values, positionals);
  } catch (error) {
    // Node's message for a value that looks like an option runs over several lines.
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    const option = /Option '(--?[\w-]+)[^']*' argument is ambiguous/.exec(message)?.[1];
    throw new UsageError(
      option
        ? `The value of ${option} looks like an option. If it is the value, use ${option}=VALUE.`
        : message,
    );
  }
}
