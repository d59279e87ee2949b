import { l10n, window } from 'vscode';
import { fitsInDialog, pickOne, valueOf } from './quickInput.ts';
import type { Support } from './workbench.ts';

/**
 * Shows the whole text of what is decided: in a dialog, or if it is too long for that, in a document beside
 * the question, where Enter chooses nothing. Undefined if the person leaves.
 */
export async function askWhole(
  question: string,
  text: string,
  buttons: readonly string[],
  support: Pick<Support, 'show'>,
): Promise<string | undefined> {
  if (fitsInDialog(text))
    return window.showWarningMessage(question, { modal: true, detail: text }, ...buttons);
  await support.show('request.txt', `${question}\n\n${text}\n`);
  const choices = [
    { label: l10n.t('Cancel'), value: undefined },
    ...buttons.map((label) => ({ label, value: label })),
  ];
  const placeholder = l10n.t('The full request is open in the editor.');
  return valueOf(await pickOne<string | undefined>({ title: question, placeholder, choices }));
}
