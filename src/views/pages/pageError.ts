import { toBeadsmithError } from '../../domain/errors.ts';
import type { PageError } from '../../protocol/pages/frame.ts';
import { errorText } from '../errorText.ts';
import { RefusedAction } from '../sendAction.ts';

/** Any thrown value as pages show it, in the person's language. */
export function pageError(thrown: unknown): PageError {
  const code = thrown instanceof RefusedAction ? thrown.code : toBeadsmithError(thrown).code;
  return { code, ...errorText(thrown) };
}
