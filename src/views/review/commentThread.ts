import { type CommentThread, l10n } from 'vscode';
import { BeadsmithError } from '../../domain/core/errors.ts';

/** Any extension can call commands, with any argument. */
export function isThread(argument: unknown): argument is CommentThread {
  return typeof argument === 'object' && argument !== null && 'comments' in argument && 'uri' in argument;
}

export function notInDiff(): BeadsmithError {
  return new BeadsmithError('INVALID_INPUT', {
    what: l10n.t('This command'),
    reason: l10n.t('it applies only to comments in a diff'),
  });
}
