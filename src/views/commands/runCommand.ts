import { commands as editor, l10n, window } from 'vscode';
import { commandId, type CommandName, needsTrust } from './commands.ts';
import { handlers } from './handlers.ts';
import { showError } from '../shared/showError.ts';
import { parseTarget } from './ticketTarget.ts';
import type { Workbench } from '../shared/workbench.ts';

/**
 * Runs a command of the table and shows its errors. The argument is checked: other extensions can call it,
 * too.
 */
export function commandRunner(workbench: Workbench): (name: CommandName, argument: unknown) => Promise<void> {
  const table = handlers(workbench);
  return (name, argument) => run(workbench, name, () => table[name](parseTarget(argument), argument));
}

async function run(workbench: Workbench, name: CommandName, work: () => Promise<void>): Promise<void> {
  const { repositories } = workbench;
  if (needsTrust(name) && !repositories.trusted) {
    await refuseUntrusted();
    return;
  }
  try {
    if (name !== 'showLog') await repositories.open();
    await work();
  } catch (error) {
    await showError(workbench, commandId(name), error);
  }
}

async function refuseUntrusted(): Promise<void> {
  const manage = l10n.t('Manage Workspace Trust');
  const answer = await window.showWarningMessage(
    l10n.t(
      'In Restricted Mode you can only read tickets, because working on them runs git, coding agents and the repository’s own commands.',
    ),
    manage,
  );
  if (answer === manage) await editor.executeCommand('workbench.trust.manage');
}
