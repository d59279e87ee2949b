import { randomInt } from 'node:crypto';
import type { Decisions } from '../../app/admission.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { CommandContext } from '../base/command.ts';
import type { Args } from '../base/args.ts';
import { oneLine } from '../base/output.ts';

/** Returns true if the command line says in advance what is decided without asking. */
export function decidesInAdvance(args: Args): boolean {
  return (
    args.text('approve') !== undefined || args.text('answers') !== undefined || args.flag('skip-interview')
  );
}

/**
 * Asks the person at the terminal about each decision of one command
 * (docs/decisions/110-decisions-are-sealed.md).
 */
export class Decider implements Decisions {
  readonly #context: CommandContext;
  #inAdvance = false;

  constructor(context: CommandContext) {
    this.#context = context;
  }

  /** From now on only what the command line said in advance is decided, so nobody is asked. */
  takeAsDecided(): void {
    this.#inAdvance = true;
  }

  readonly decide: Decisions['decide'] = async ({ ticket, kind, body }) => {
    if (this.#inAdvance) return;
    const details = Object.entries(body).map(
      ([name, value]) => `  ${name}: ${oneLine(JSON.stringify(value), 200)}\n`,
    );
    await this.confirm(`${ticket}: ${kind.replaceAll('_', ' ')}\n${details.join('')}`);
  };

  /**
   * Has a person at the terminal confirm what `about` says in whole lines. Throws DECISION_NEEDS_PERSON,
   * DECISION_NOT_CONFIRMED.
   */
  async confirm(about: string): Promise<void> {
    const { askTerminal, signal } = this.#context;
    const word = randomWord();
    const typed = await askTerminal?.(`${about}To confirm, type ${word}: `, signal);
    if (typed === undefined) throw new BeadsmithError('DECISION_NEEDS_PERSON');
    if (typed.trim() !== word) throw new BeadsmithError('DECISION_NOT_CONFIRMED');
  }
}

/** Two syllables, which are quick to type and not to guess in advance. */
function randomWord(): string {
  const pick = (letters: string): string => letters.charAt(randomInt(letters.length));
  return Array.from({ length: 2 }, () => pick('bdfgklmnprstvz') + pick('aeiou') + pick('lmnrst')).join('');
}
