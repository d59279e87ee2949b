import { l10n } from 'vscode';
import { type BeadsmithError, errorTexts, toBeadsmithError } from '../domain/errors.ts';
import { RefusedAction } from './sendAction.ts';

/** Any thrown value as a sentence and a next step, in the person's language. */
export function errorText(thrown: unknown): { readonly message: string; readonly nextStep: string } {
  if (thrown instanceof RefusedAction) return { message: thrown.message, nextStep: '' };
  return translated(toBeadsmithError(thrown));
}

function translated({ code, args }: BeadsmithError): { readonly message: string; readonly nextStep: string } {
  const [sentence, nextStep] = errorTexts[code];
  return { message: l10n.t(sentence, { ...args }), nextStep: l10n.t(nextStep, { ...args }) };
}
