import { l10n, type TestItem, TestMessage, type TestRun } from 'vscode';
import { plainOutput } from '../../base/lastLines.ts';
import { type Evidence, passed } from '../../domain/core/evidence.ts';
import { outcomeText } from '../../protocol/verification/verification.ts';

export function reportEvidence(run: TestRun, item: TestItem, evidence: Evidence): void {
  const { durationMs, contradicted } = evidence;
  writeOutput(run, item, outputOf(evidence));
  if (passed(evidence)) {
    run.passed(item, durationMs);
    return;
  }
  const outcome = l10n.t(
    'The command {0}.',
    outcomeText(evidence, (text, args) => l10n.t(text, { ...args })),
  );
  const denied = contradicted ? ` ${l10n.t('Its output shows failed tests, or none that ran.')}` : '';
  run.failed(item, new TestMessage(`${outcome}${denied}`), durationMs);
}

/** The terminal of the results needs both characters at the end of a line. */
export function writeOutput(run: TestRun, item: TestItem, text: string): void {
  const lines = text.trimEnd();
  if (lines !== '') run.appendOutput(`${lines.replace(/\r?\n/g, '\r\n')}\r\n`, undefined, item);
}

function outputOf({ head, tail, outputBytes }: Evidence): string {
  const end = tail === '' ? head : tail;
  const isWhole = new TextEncoder().encode(end).length >= outputBytes;
  const text = plainOutput(end);
  return isWhole ? text : `[…]\n${text}`;
}
