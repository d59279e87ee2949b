import { l10n } from 'vscode';
import { type Check, type CheckGroup, type CheckSubject, textsOf } from '../../protocol/checks.ts';
import type { SetupState } from '../../protocol/pages/setup.ts';
import { isFault } from '../../domain/core/faults.ts';
import { buttonTitle } from '../commands/commandTitles.ts';
import { commandId, type CommandName } from '../commands/commands.ts';
import { settingOf } from '../shared/showError.ts';

export interface SetupView {
  readonly state: SetupState;
  /** By the id of its line. */
  readonly fixes: ReadonlyMap<string, Fix>;
}

/** `run`: its number, so that no line has the id of one of another run. */
export function setupView(
  groups: readonly CheckGroup[],
  { run, progress }: { readonly run: number; readonly progress: 'running' | 'done' | 'canceled' },
): SetupView {
  const fixes = new Map<string, Fix>();
  const results = groups.flatMap(({ checks }) => checks.map(({ result }) => result));
  const count = (wanted: Check['result']): number => results.filter((result) => result === wanted).length;
  const words = resultWords();
  const names = subjects();
  const lines = (group: number, checks: readonly Check[]): SetupState['groups'][number]['lines'] =>
    checks.map((check, place) => {
      const id = [run, group, place].join('.');
      const [sentence = '', nextStep = ''] = textsOf(check.code).map((text) =>
        text === '' ? '' : plain(l10n.t(text, { ...check.args })),
      );
      const fix = nextStep === '' ? undefined : fixOf(check);
      if (fix) fixes.set(id, fix);
      return {
        id,
        result: check.result,
        word: words[check.result],
        subject: names[check.subject],
        sentence,
        said: check.said === '' ? '' : check.said.split('\n').map(plain).join('\n'),
        nextStep,
        fix: fix?.title ?? '',
      };
    });
  const counts = l10n.t(
    'Failed: {0}. Warnings: {1}. OK: {2}. Not checked: {3}.',
    count('fail'),
    count('warn'),
    count('pass'),
    count('skip'),
  );
  const summary = progress === 'canceled' ? l10n.t('The check was canceled.') : counts;
  return {
    state: {
      title: l10n.t('Beadsmith: Setup'),
      isRunning: progress === 'running',
      summary: progress === 'running' ? '' : summary,
      groups: groups.map(({ title, checks }, group) => ({ title, lines: lines(group, checks) })),
    },
    fixes,
  };
}

/** Plain text, for those who ask what the setup is like. */
export function setupText({ title, summary, groups }: SetupState): string {
  const lines = [title, '='.repeat(title.length), '', summary];
  const width = Math.max(...Object.values(resultWords()).map((word) => word.length)) + 2;
  const indent = ' '.repeat(width);
  for (const group of groups) {
    lines.push('', group.title, '-'.repeat(group.title.length));
    for (const { word, subject, sentence, said, nextStep } of group.lines) {
      lines.push(`${word.padEnd(width)}${subject}: ${sentence}`);
      if (said !== '') lines.push(...said.split('\n').map((line) => `${indent}| ${line}`));
      if (nextStep !== '') lines.push(`${indent}${l10n.t('What to do:')} ${nextStep}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** On one line, and without what an editor or a terminal would obey. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
}

function resultWords(): Readonly<Record<Check['result'], string>> {
  return {
    pass: l10n.t('OK'),
    warn: l10n.t('WARNING'),
    fail: l10n.t('FAILED'),
    skip: l10n.t('NOT CHECKED'),
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

interface Fix {
  readonly title: string;
  readonly command: string;
  readonly args: readonly unknown[];
}

/** Undefined where all that can be done is to check again. */
function fixOf({ code, args }: Pick<Check, 'code' | 'args'>): Fix | undefined {
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
