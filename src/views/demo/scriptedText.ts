import { l10n } from 'vscode';

/** What a demo says of itself wherever it is shown. */
export function scriptedText(): string {
  return l10n.t('Scripted model: recorded answers, no AI');
}
