import { l10n } from 'vscode';
import { type Failure, failureBehind, failureText } from '../../domain/beads/failure.ts';
import { type BeadsmithError, toBeadsmithError, fromRecord } from '../../domain/core/errors.ts';
import { errorTexts } from '../../domain/core/errorTexts.ts';
import type { TicketDetail } from '../../protocol/api.ts';
import { RefusedAction } from './sendAction.ts';

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
  if (!failure)
    return { message: l10n.t(sentence, { ...args }).trim(), nextStep: l10n.t(nextStep, { ...args }) };
  const { reason, advice } = failureWords(failure);
  return { message: l10n.t(sentence, { ...args, reason }), nextStep: advice };
}

export function failureWords(failure: Failure): { readonly reason: string; readonly advice: string } {
  return failureText(failure, (text, holes) => l10n.t(text, { ...holes }));
}

export function blockedText({ ticket, error }: TicketDetail): string {
  const { message, nextStep } = ticket.error
    ? errorText(fromRecord(ticket.error))
    : { message: error?.message ?? '', nextStep: error?.nextStep ?? '' };
  return `${message} ${nextStep}`.trim();
}
