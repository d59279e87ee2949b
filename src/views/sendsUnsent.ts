import { l10n, window } from 'vscode';

/** Asks who leaves with something said that isn't sent whether to send it; nobody is asked about nothing. `lines`: what was said. */
export async function sendsUnsent(question: string, lines: readonly string[]): Promise<boolean> {
  if (lines.length === 0) return false;
  const send = l10n.t('Send');
  const detail = lines.map((line) => `- ${line}`).join('\n');
  return (await window.showWarningMessage(question, { modal: true, detail }, send)) === send;
}
