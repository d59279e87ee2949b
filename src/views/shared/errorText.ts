import { l10n } from 'vscode';
import { type Failure, failureBehind, failureText } from '../../domain/beads/failure.ts';
import { type BeadsmithError, toBeadsmithError, fromRecord, type Words } from '../../domain/core/errors.ts';
import { errorTexts } from '../../domain/core/errorTexts.ts';
import { reasonOf } from '../../domain/forge/forgeReasons.ts';
import type { ActionOutcome, TicketDetail } from '../../protocol/api.ts';

/** An action that the driver refused, in the person's language. */
export class RefusedAction extends Error {
  override readonly name = 'RefusedAction';
  readonly code: string;

  constructor({ code, message, error }: Omit<Extract<ActionOutcome, { state: 'refused' }>, 'state'>) {
    const text = error && translated(fromRecord(error));
    super(text ? `${text.message} ${text.nextStep}`.trim() : message);
    this.code = code;
  }
}

/** Any thrown value as a sentence and a next step, in the person's language. */
export function errorText(thrown: unknown): { readonly message: string; readonly nextStep: string } {
  if (thrown instanceof RefusedAction) return { message: thrown.message, nextStep: '' };
  return translated(toBeadsmithError(thrown));
}

function translated({ code, args, diagnostics }: BeadsmithError): {
  readonly message: string;
  readonly nextStep: string;
} {
  const [sentence, nextStep] = errorTexts[code];
  const failure = failureBehind(diagnostics);
  if (!failure) {
    const known = reasonOf(args);
    const holes = known ? { ...args, reason: words(known[0], args), remedy: words(known[1], args) } : args;
    return { message: words(sentence, holes).trim(), nextStep: words(nextStep, holes) };
  }
  const { reason, advice } = failureWords(failure);
  return { message: l10n.t(sentence, { ...args, reason }), nextStep: advice };
}

export function failureWords(failure: Failure): { readonly reason: string; readonly advice: string } {
  return failureText(failure, words);
}

/** A text of a table in the person's language. */
export const words: Words = (text, args) => l10n.t(text, { ...args });

export function blockedText({ ticket, error }: TicketDetail): string {
  const { message, nextStep } = ticket.error
    ? errorText(fromRecord(ticket.error))
    : { message: error?.message ?? '', nextStep: error?.nextStep ?? '' };
  return `${message} ${nextStep}`.trim();
}
