import { l10n, window } from 'vscode';
import { isOwnTarget } from '../shared/ownTargets.ts';
import { commandTitle } from './commandTitles.ts';
import { type CommandName, commandRow } from './commands.ts';

/**
 * Any extension can call a command, and accept what the editor's own inputs propose; a dialog is answered by
 * people only. Nobody is asked if a choice in a surface of our own led here.
 */
export async function isMeant(name: CommandName, ticket: string, argument: unknown): Promise<boolean> {
  if (commandRow(name).decides !== true || isOwnTarget(argument)) return true;
  const title = commandTitle(name).label.replace(/^\$\([\w-]+\) |…$/g, '');
  // Enter takes the first.
  const later = l10n.t('Not Now');
  const detail = l10n.t(
    'Other extensions can run this command, too. In the Tickets view it runs without this question.',
  );
  const answer = await window.showWarningMessage(
    l10n.t('{0}: {1}?', ticket, title),
    { modal: true, detail },
    later,
    title,
  );
  return answer === title;
}
