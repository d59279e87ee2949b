import { commands as editor, l10n, window } from 'vscode';
import { BeadsmithError, type ErrorCode } from '../../domain/core/errors.ts';
import { isFault } from '../../domain/core/faults.ts';
import { commandId } from '../commands/commands.ts';
import { errorText, RefusedAction } from './errorText.ts';
import { writeText } from './quickInput.ts';
import { withoutLinks } from './plainText.ts';
import type { Workbench } from './workbench.ts';

/** Lists start with the most helpful one. */
type ErrorAction =
  | 'install'
  | 'joinTeam'
  | 'settings'
  | 'trust'
  | 'trustSettings'
  | 'sourceControl'
  | 'checkSetup'
  | 'restoreBackup'
  | 'report'
  | 'log';

const ofSetup: readonly ErrorCode[] = [
  'OPENCODE_MISSING',
  'OPENCODE_VERSION',
  'OPENCODE_START_FAILED',
  'INSTALL_FAILED',
  'REGISTRY_UNREACHABLE',
  'NPM_MISSING',
  'MODEL_UNKNOWN',
  'PROVIDER_AUTH',
  'DATABASE_NEWER',
  'DATABASE_CORRUPT',
  'DATABASE_BEHIND',
  'DATABASE_READ_ONLY',
  'JOURNAL_BROKEN',
  'GIT_FAILED',
];

/** At most two, and the log. `trusted`: whether the workspace is. */
export function errorActions(thrown: unknown, trusted: boolean): readonly ErrorAction[] {
  if (thrown instanceof RefusedAction) return ['log'];
  if (!(thrown instanceof BeadsmithError)) return ['report', 'log'];
  const { code } = thrown;
  if (!trusted && code === 'DATABASE_READ_ONLY') return ['trust', 'log'];
  const first: readonly ErrorAction[] =
    code === 'OPENCODE_MISSING' || code === 'OPENCODE_VERSION'
      ? ['install']
      : code === 'DEVICE_UNKNOWN'
        ? ['joinTeam']
        : code === 'NO_COMMITS'
          ? ['sourceControl']
          : code === 'GIT_SETTING_REFUSED'
            ? typed(thrown)
            : code === 'DATABASE_CORRUPT' || code === 'DATABASE_BEHIND'
              ? ['restoreBackup']
              : settingOf(thrown) === undefined
                ? []
                : ['settings'];
  const second: readonly ErrorAction[] = ofSetup.includes(code)
    ? ['checkSetup']
    : isFault(code)
      ? ['report']
      : [];
  return [...first, ...second, 'log'];
}

/** In a terminal, control characters could press keys. */
function typed({ args }: BeadsmithError): readonly ErrorAction[] {
  return /\p{Cc}/u.test(String(args['commands'])) ? [] : ['trustSettings'];
}

export function settingOf({ code, args }: Pick<BeadsmithError, 'code' | 'args'>): string | undefined {
  return code === 'INVALID_INPUT' ? /\b(beadsmith\.[\w.]+)$/.exec(String(args['what']))?.[1] : undefined;
}

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
  if (action) await run(action, error, workbench);
}

function titleOf(action: ErrorAction): string {
  switch (action) {
    case 'install':
      return l10n.t('Install OpenCode…');
    case 'joinTeam':
      return l10n.t('Enter Pairing Code…');
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

async function run(action: ErrorAction, error: unknown, workbench: Workbench): Promise<void> {
  switch (action) {
    case 'install':
      return editor.executeCommand(commandId('installOpencode'));
    case 'joinTeam':
      return joinTeam(workbench).catch((refused: unknown) =>
        showError(workbench, 'joining the team', refused),
      );
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

/** Its decisions count from then on. */
async function joinTeam({ team }: Workbench): Promise<void> {
  const reply = await writeText({
    title: l10n.t('Pairing Code'),
    prompt: l10n.t('An admin of the team gets a code with "beadsmith team pair".'),
    check: (text) => (text.trim() === '' ? l10n.t('Enter the code, or press Escape to cancel.') : undefined),
  });
  if (reply.kind !== 'given') return;
  const { person, role } = await team.join(reply.value);
  window.setStatusBarMessage(l10n.t('Joined the team as {0} ({1}).', person, role), 10_000);
}

/** A person reads the commands there, and runs them with Enter. */
function trustSettings(commands: string): void {
  const terminal = window.createTerminal({ name: l10n.t('Trust git settings') });
  terminal.show();
  terminal.sendText(commands, false);
}
