import { commands as editor, l10n, window } from 'vscode';
import type { Check, CheckSubject } from '../../protocol/checks.ts';
import { isFault } from '../../domain/core/faults.ts';
import { commandId, type CommandName } from '../commands/commands.ts';
import { buttonTitle } from '../commands/commandTitles.ts';
import { settingOf } from '../shared/showError.ts';
import { withCancel } from '../shared/withCancel.ts';
import type { Workbench } from '../shared/workbench.ts';
import { type CheckGroup, checkText, type CheckWords, type Fix } from './checkText.ts';
import { runChecks } from './runChecks.ts';

export async function checkSetup(workbench: Workbench): Promise<void> {
  const groups = await withCancel(l10n.t('Checking setup…'), (signal, tell) =>
    runChecks(workbench, groupTitles(), signal, tell),
  );
  if (!groups) return;
  await workbench.support.show('setup.txt', checkText(groups, checkWords(groups)));
  const failed = groups.flatMap(({ checks }) => checks.filter(({ result }) => result === 'fail'));
  if (failed.length === 0) {
    window.setStatusBarMessage(l10n.t('Beadsmith’s setup has no problem.'), 8_000);
    return;
  }
  // What only checks again is no fix.
  const fixes = new Map<string, Fix>(
    failed.map(fixOf).flatMap((fix) => (fix.command === commandId('checkSetup') ? [] : [[fix.title, fix]])),
  );
  const [show, report] = [l10n.t('Show Result'), l10n.t('Report Issue…')];
  // A notification with more buttons isn't read.
  const titles = [...[...fixes.keys()].slice(0, 2), show];
  const text =
    failed.length === 1
      ? l10n.t('Beadsmith’s setup has a problem.')
      : l10n.t('Beadsmith’s setup has {0} problems.', failed.length);
  const answer = await window.showWarningMessage(text, ...titles, ...(fixes.size === 0 ? [report] : []));
  const fix = answer === undefined ? undefined : fixes.get(answer);
  if (fix) await editor.executeCommand(fix.command, ...fix.args);
  if (answer === show) await workbench.support.reveal('setup.txt');
  if (answer === report) await editor.executeCommand(commandId('reportIssue'));
}

function groupTitles(): Parameters<typeof runChecks>[1] {
  return {
    machine: l10n.t('This machine'),
    repository: (name) => (name === '' ? l10n.t('Repository') : l10n.t('Repository {0}', name)),
  };
}

function checkWords(groups: readonly CheckGroup[]): CheckWords {
  const results = groups.flatMap(({ checks }) => checks.map(({ result }) => result));
  const count = (wanted: string): number => results.filter((result) => result === wanted).length;
  return {
    title: l10n.t('Beadsmith: Setup'),
    summary: l10n.t(
      'Failed: {0}. Warnings: {1}. OK: {2}. Not checked: {3}.',
      count('fail'),
      count('warn'),
      count('pass'),
      count('skip'),
    ),
    nextStep: l10n.t('What to do:'),
    results: {
      pass: l10n.t('OK'),
      warn: l10n.t('WARNING'),
      fail: l10n.t('FAILED'),
      skip: l10n.t('NOT CHECKED'),
    },
    subjects: subjects(),
    translate: (text, args) => l10n.t(text, { ...args }),
    fixOf,
  };
}

function subjects(): Readonly<Record<CheckSubject, string>> {
  return {
    git: l10n.t('git'),
    sandbox: l10n.t('Sandbox'),
    opencode: l10n.t('OpenCode'),
    settings: l10n.t('Settings'),
    repository: l10n.t('Repository'),
    driver: l10n.t('Driver'),
    prompts: l10n.t('Prompts'),
    database: l10n.t('Database'),
    journals: l10n.t('Journals'),
    worktrees: l10n.t('Worktrees'),
    github: l10n.t('GitHub'),
    servers: l10n.t('OpenCode servers'),
    server: l10n.t('OpenCode server'),
    models: l10n.t('Models'),
  };
}

/** For whatever isn't as it should be; at least, it can be checked again. */
function fixOf({ code, args }: Pick<Check, 'code' | 'args'>): Fix {
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
      return name === undefined ? checkAgain() : settings(name);
    }
    default:
      return isFault(code) ? fixWith('reportIssue') : checkAgain();
  }
}

function checkAgain(): Fix {
  return fixBy(l10n.t('Check Again'), commandId('checkSetup'));
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
