import * as l10n from '@vscode/l10n';
import type { CheckLine, SetupState } from '../../src/protocol/pages/setup.ts';

/** The codicon of a result. */
export const resultIcons = {
  pass: 'pass',
  warn: 'warning',
  fail: 'error',
  skip: 'circle-slash',
} as const satisfies Record<CheckLine['result'], string>;

/** Told to people who don't see the page: each new problem, and in the end all results. */
export function setupNews(before: SetupState | undefined, now: SetupState): string {
  const known = new Set(before?.groups.flatMap(({ lines }) => lines.map(({ id }) => id)));
  const problems = now.groups
    .flatMap(({ lines }) => lines)
    .filter(({ id, result }) => (result === 'warn' || result === 'fail') && !known.has(id))
    .map(({ word, subject, sentence }) => `${word}: ${subject}: ${sentence}`);
  if (now.isRunning && before?.isRunning !== true) return [l10n.t('Checking setup…'), ...problems].join(' ');
  const hasEnded = !now.isRunning && before?.isRunning !== false;
  return [...problems, ...(hasEnded ? [now.summary] : [])].join(' ');
}
