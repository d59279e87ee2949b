import { l10n } from 'vscode';
import type { Check } from '../../protocol/checks.ts';
import { commandId } from '../commands/commands.ts';
import { settingOf } from '../shared/errorActions.ts';

/** A fix for a check's finding with one click. */
export interface Fix {
  readonly title: string;
  readonly command: string;
  readonly args: readonly unknown[];
}

/**
 * Returns the editor's fix for a check's finding, beside its next step in words; undefined when there is
 * none.
 */
export function fixOf({ code, args }: Pick<Check, 'code' | 'args'>): Fix | undefined {
  switch (code) {
    case 'OPENCODE_MISSING':
    case 'OPENCODE_VERSION':
      return fix(l10n.t('Install OpenCode…'), commandId('installOpencode'));
    case 'OPENCODE_START_FAILED':
      return fix(l10n.t('Show Log'), commandId('showLog'));
    case 'CHECKOUT_EMPTY':
    case 'CHECKOUT_CHANGED':
      return fix(l10n.t('Open Source Control'), 'workbench.view.scm');
    case 'MODELS_UNKNOWN':
      return settings('beadsmith.mainImplementer');
    case 'UNTRUSTED':
    case 'READ_ONLY_UNTRUSTED':
      return fix(l10n.t('Manage Workspace Trust'), 'workbench.trust.manage');
    case 'NO_FOLDER':
    case 'NO_REPOSITORY':
      return fix(l10n.t('Open Folder…'), 'vscode.openFolder');
    case 'INVALID_INPUT': {
      const name = settingOf({ code, args });
      return name === undefined ? undefined : settings(name);
    }
    default:
      return undefined;
  }
}

function settings(name: string): Fix {
  return fix(l10n.t('Open Settings'), 'workbench.action.openSettings', name);
}

function fix(title: string, command: string, ...args: readonly unknown[]): Fix {
  return { title, command, args };
}
