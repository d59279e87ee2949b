import { type Abilities, forgeAbility, forgePrefix } from '../../domain/team/abilities.ts';

/** Milliseconds after which a forge is asked about again: people sign in, and out. */
const againMs = 300_000;

/** The forges of a team's repositories at which this machine has a sign-in, as abilities of its runner. */
export class SignIns {
  readonly #has: (host: string) => Promise<boolean>;
  readonly #due = new Map<string, number>();
  readonly #found = new Set<string>();

  constructor(has: (host: string) => Promise<boolean>) {
    this.#has = has;
  }

  get can(): Abilities {
    return Object.fromEntries([...this.#found].map((label) => [label, 'yes']));
  }

  async look(repositories: readonly { readonly name: string }[]): Promise<void> {
    for (const label of new Set(repositories.map(({ name }) => forgeAbility(name)))) {
      // Abilities are short.
      if (label.length > 100 || performance.now() < (this.#due.get(label) ?? 0)) continue;
      this.#due.set(label, performance.now() + againMs);
      if (await this.#has(label.slice(forgePrefix.length)).catch(() => false)) this.#found.add(label);
      else this.#found.delete(label);
    }
  }
}
