import {
  l10n,
  type TestController,
  type TestItem,
  TestMessage,
  type TestRun,
  type TestRunRequest,
} from 'vscode';
import type { CommandRun } from '../../protocol/ticketCommands.ts';
import { errorText, words } from '../shared/errorText.ts';
import { plainLabel } from '../shared/plainText.ts';
import type { TicketPlace } from '../shared/workbench.ts';
import { plainOutput } from '../../base/lastLines.ts';
import { type Evidence, passed } from '../../domain/core/evidence.ts';
import { outcomeText } from '../../protocol/verification/verification.ts';

/** One after the other, because commands of a ticket share its worktree. */
export async function runCommands(
  controller: TestController,
  request: TestRunRequest,
  find: (items: readonly TestItem[] | undefined) => Promise<readonly CommandItem[]>,
  runOne: (run: TestRun, one: CommandItem, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const run = controller.createTestRun(request);
  const aborting = new AbortController();
  const watch = run.token.onCancellationRequested(() => aborting.abort());
  try {
    const excluded = new Set(
      request.exclude?.length ? (await find(request.exclude)).map(({ item }) => item.id) : [],
    );
    const commands = (await find(request.include)).filter(({ item }) => !excluded.has(item.id));
    for (const { item } of commands) run.enqueued(item);
    for (const one of commands) {
      if (run.token.isCancellationRequested) run.skipped(one.item);
      else await runIfPossible(run, one, aborting.signal, runOne);
    }
  } finally {
    watch.dispose();
    run.end();
  }
}

async function runIfPossible(
  run: TestRun,
  one: CommandItem,
  signal: AbortSignal,
  runOne: Parameters<typeof runCommands>[3],
): Promise<void> {
  const { item } = one;
  run.started(item);
  try {
    await runOne(run, one, signal);
  } catch (error) {
    if (signal.aborted) {
      run.skipped(item);
      return;
    }
    const { message, nextStep } = errorText(error);
    run.errored(item, new TestMessage(`${message} ${nextStep}`.trim()));
  }
}

export async function runInWorktree(
  run: TestRun,
  { item, place, command }: CommandItem,
  signal: AbortSignal,
): Promise<void> {
  const { repository, ticket } = place;
  const result = await repository.commands.run(ticket, command, signal);
  if (result.kind === 'refused') {
    run.errored(item, new TestMessage(refusedText(ticket, result.reason)));
    return;
  }
  const { evidence, restored, changed } = result;
  writeOutput(run, item, l10n.t('You ran this. It is no evidence and changes nothing in {0}.', ticket));
  writeOutput(
    run,
    item,
    restored.length === 0 ? '' : l10n.t('Files that it changed were put back: {0}', listed(restored)),
  );
  writeOutput(
    run,
    item,
    changed.length === 0
      ? ''
      : l10n.t('It changed files that already had uncommitted changes: {0}', listed(changed)),
  );
  reportEvidence(run, item, evidence);
}

export function refusedText(
  ticket: string,
  reason: Extract<CommandRun, { kind: 'refused' }>['reason'],
): string {
  switch (reason) {
    case 'working':
      return l10n.t(
        '{0} is in work, and the command would disturb it. Pause the ticket, or wait until it needs you.',
        ticket,
      );
    case 'continued':
      return l10n.t('{0} continued, so the command was stopped.', ticket);
    case 'unknown':
      return l10n.t('{0} no longer has this command, or its worktree is gone.', ticket);
  }
}

const mostListed = 20;

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, mostListed).map(plainLabel).join(', ');
  return paths.length > mostListed ? `${shown} …` : shown;
}

/** A row with a command. `bead`: null for a check of the project. */
export interface CommandItem {
  readonly item: TestItem;
  readonly place: TicketPlace;
  readonly bead: string | null;
  readonly command: string;
}

export function reportEvidence(run: TestRun, item: TestItem, evidence: Evidence): void {
  const { durationMs, contradicted } = evidence;
  writeOutput(run, item, outputOf(evidence));
  if (passed(evidence)) {
    run.passed(item, durationMs);
    return;
  }
  const outcome = l10n.t('The command {0}.', outcomeText(evidence, words));
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
