import { l10n } from 'vscode';
import { isFault } from '../../domain/core/faults.ts';
import type { Check } from '../../protocol/checks.ts';
import { buttonTitle } from '../commands/commandTitles.ts';
import { commandId, type CommandName } from '../commands/commands.ts';
import { settingOf } from '../shared/showError.ts';

export interface Fix {
  readonly title: string;
  readonly command: string;
  readonly args: readonly unknown[];
}

/** Undefined where all that can be done is to check again. */
export function fixOf({ code, args }: Pick<Check, 'code' | 'args'>): Fix | undefined {
  switch (code) {
    case 'OPENCODE_MISSING':
    case 'OPENCODE_VERSION':
      return fixWith('installOpencode');
    case 'OPENCODE_INSIDE':
      return settings('beadsmith.opencode.path');
    case 'OPENCODE_START_FAILED':
      return fixWith('showLog');
    case 'GIT_MISSING':
    case 'GIT_OLD':
      return settings('git.path');
    case 'SANDBOX_OFF':
    case 'SANDBOX_UNSUPPORTED':
      return settings('beadsmith.sandbox');
    case 'SANDBOX_OWN_SERVER':
      return settings('beadsmith.opencode.url');
    case 'SANDBOX_MISSING':
    case 'SANDBOX_BLOCKED':
    case 'SANDBOX_OUTER_ONLY':
      return fixBy(l10n.t('Open Terminal'), 'workbench.action.terminal.new');
    case 'CHECKOUT_EMPTY':
    case 'CHECKOUT_CHANGED':
    case 'NO_COMMITS':
      return fixBy(l10n.t('Open Source Control'), 'workbench.view.scm');
    case 'MODELS_NONE':
    case 'MODELS_UNKNOWN':
      return fixWith('chooseModels');
    case 'DATABASE_DAMAGED':
    case 'DATABASE_CORRUPT':
    case 'DATABASE_BEHIND':
    case 'JOURNAL_DAMAGED':
    case 'JOURNAL_BROKEN':
    case 'ROWS_DIFFER':
      return fixWith('restoreBackup');
    case 'PROMPT_REFUSED':
      return fixWith('overridePrompt');
    case 'WORKTREES_GONE':
      return fixWith('showWaiting');
    case 'UNTRUSTED':
    case 'READ_ONLY_UNTRUSTED':
      return fixBy(l10n.t('Manage Workspace Trust'), 'workbench.trust.manage');
    case 'NO_FOLDER':
      return fixBy(l10n.t('Open Folder…'), 'vscode.openFolder');
    case 'NO_REPOSITORY':
      return fixBy(l10n.t('Initialize Repository'), 'git.init');
    case 'INVALID_INPUT': {
      const name = settingOf({ code, args });
      return name === undefined ? undefined : settings(name);
    }
    default:
      return isFault(code) ? fixWith('reportIssue') : undefined;
  }
}

function settings(name: string): Fix {
  return fixBy(l10n.t('Open Settings'), 'workbench.action.openSettings', name);
}

function fixWith(name: CommandName): Fix {
  return fixBy(buttonTitle(name), commandId(name));
}

function fixBy(title: string, command: string, ...args: readonly unknown[]): Fix {
  return { title, command, args };
}
