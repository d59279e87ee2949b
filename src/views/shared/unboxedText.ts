import { noSandbox } from '../../domain/environment/sandbox.ts';
import type { RepositoryView } from '../../protocol/api.ts';
import { errorText } from './errorText.ts';

/**
 * That agents and commands run without a box, why, and what to do, in the person's language; empty where they
 * have one.
 */
export function unboxedText({ unboxed }: Pick<RepositoryView, 'unboxed'>): string {
  if (unboxed === undefined) return '';
  const { message, nextStep } = errorText(noSandbox(unboxed));
  return `${message} ${nextStep}`;
}
