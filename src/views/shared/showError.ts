import { commands as editor, l10n, window } from 'vscode';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { commandId } from '../commands/commands.ts';
import { type ErrorAction, errorActions, settingOf } from './errorActions.ts';
import { errorText } from './errorText.ts';
import { withoutLinks } from './plainText.ts';
import type { Workbench } from './workbench.ts';

/**
 * Logs what went wrong, and says it in a notice: what happened, what to do next, and what can be done about
 * it at once.
 */
export async function showError(workbench: Workbench, what: string, error: unknown): Promise<void> {
  workbench.logError(what, error);
  const { message, nextStep } = errorText(error);
  const titles = new Map(
    errorActions(error, workbench.repositories.trusted).map((action) => [titleOf(action), action]),
  );
  // An error quotes models, programs and files.
  const answer = await window.showErrorMessage(
    withoutLinks(`${message} ${nextStep}`.trim()),
    ...titles.keys(),
  );
  const action = answer === undefined ? undefined : titles.get(answer);
  if (action) await run(action, error);
}

function titleOf(action: ErrorAction): string {
  switch (action) {
    case 'install':
      return l10n.t('Install OpenCode…');
    case 'settings':
      return l10n.t('Open Settings');
    case 'trust':
      return l10n.t('Manage Workspace Trust');
    case 'trustSettings':
      return l10n.t('Trust in Terminal…');
    case 'sourceControl':
      return l10n.t('Open Source Control');
    case 'checkSetup':
      return l10n.t('Check Setup');
    case 'restoreBackup':
      return l10n.t('Restore Backup…');
    case 'report':
      return l10n.t('Report Issue…');
    case 'log':
      return l10n.t('Show Log');
  }
}

async function run(action: ErrorAction, error: unknown): Promise<void> {
  switch (action) {
    case 'install':
      return editor.executeCommand(commandId('installOpencode'));
    case 'settings':
      return editor.executeCommand(
        'workbench.action.openSettings',
        error instanceof BeadsmithError ? settingOf(error) : '',
      );
    case 'trust':
      return editor.executeCommand('workbench.trust.manage');
    case 'trustSettings': {
      trustSettings(error instanceof BeadsmithError ? String(error.args['commands'] ?? '') : '');
      return;
    }
    case 'sourceControl':
      return editor.executeCommand('workbench.view.scm');
    case 'checkSetup':
      return editor.executeCommand(commandId('checkSetup'));
    case 'restoreBackup':
      return editor.executeCommand(commandId('restoreBackup'));
    case 'report':
      return editor.executeCommand(commandId('reportIssue'));
    case 'log':
      return editor.executeCommand(commandId('showLog'));
  }
}

/** Writes the commands into a terminal. A person reads them there, and runs them with Enter. */
function trustSettings(commands: string): void {
  const terminal = window.createTerminal({ name: l10n.t('Trust git settings') });
  terminal.show();
  terminal.sendText(commands, false);
}
