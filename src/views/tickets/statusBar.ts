import { l10n, StatusBarAlignment, type StatusBarItem, ThemeColor, window } from 'vscode';
import { joined } from '../../base/joined.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { stageLabel } from '../../domain/beads/beadStages.ts';
import { roleOf } from '../../domain/workflow/roles.ts';
import type { TicketView } from '../../protocol/api.ts';
import { commandId } from '../commands/commands.ts';
import { clockText, countdownText } from '../shared/plainText.ts';
import { holdText, scriptedText, workText } from '../shared/statusTexts.ts';
import type { Workbench } from '../shared/workbench.ts';
import { Countdown } from './countdown.ts';
import { needYou } from './ticketsView.ts';
import { focusView } from './ticketsViewId.ts';

export function statusBar({ board }: Workbench): Disposable {
  const parts = new DisposableStore();
  const item = parts.add(window.createStatusBarItem('beadsmith.waiting', StatusBarAlignment.Left, 20));
  item.name = l10n.t('Beadsmith Tickets');
  const countdown = parts.add(new Countdown(board));
  const show = (): void => {
    const waiting = board.waiting.map(({ ticket }) => ticket);
    const working = board.rows.flatMap(({ tickets }) => tickets.filter(isWorking));
    if (waiting.length + working.length === 0) item.hide();
    else
      fill(
        item,
        waiting,
        working,
        board.rows.some(({ repository }) => repository?.isDemo === true),
      );
  };
  parts.add(board.onDidChange(show));
  parts.add(countdown.onDidTick(show));
  show();
  return parts;
}

function fill(
  item: StatusBarItem,
  waiting: readonly TicketView[],
  working: readonly TicketView[],
  isDemo: boolean,
): void {
  const now = Date.now();
  item.text = joined([workingText(working, now), waitingText(waiting, now)], ' ');
  item.tooltip = [
    ...(isDemo ? [scriptedText()] : []),
    ...(waiting.length > 0 ? [needYou(waiting.length), ...waiting.map((ticket) => line(ticket, now))] : []),
    ...(working.length > 0 ? [l10n.t('In progress:'), ...working.map((ticket) => line(ticket, now))] : []),
  ].join('\n');
  item.accessibilityInformation = { label: `Beadsmith: ${item.tooltip}`, role: 'button' };
  item.command = waiting.length > 0 ? commandId('showWaiting') : focusView;
  const isBlocked = waiting.some(({ status }) => roleOf(status) === 'blocked');
  item.backgroundColor = isBlocked ? new ThemeColor('statusBarItem.errorBackground') : undefined;
  item.show();
}

function isWorking({ column, preparing }: TicketView): boolean {
  return column === 'In Progress' || preparing;
}

function workingText(working: readonly TicketView[], now: number): string {
  const running = working.filter(({ hold }) => hold === null);
  return joined([runningText(running), pausingText(working, now)], ' ');
}

function pausingText(working: readonly TicketView[], now: number): string {
  const soonest = Math.min(
    ...working.flatMap(({ hold, holdUntil }) => (hold === null ? [] : (holdUntil ?? []))),
  );
  return Number.isFinite(soonest) ? `$(watch) ${clockText(soonest, now)}` : '';
}

function runningText(running: readonly TicketView[]): string {
  const [only] = running;
  if (!only) return '';
  if (running.length > 1) return `$(sync~spin) ${String(running.length)}`;
  const { coding, beadsTotal } = only;
  if (!coding) return `$(sync~spin) ${only.id}`;
  const stage = coding.stage === null ? '' : ` ${l10n.t(stageLabel(coding.stage))}`;
  return `$(sync~spin) ${String(coding.number)}/${String(beadsTotal)}${stage}`;
}

function waitingText(waiting: readonly TicketView[], now: number): string {
  const blocked = waiting.filter(({ status }) => roleOf(status) === 'blocked').length;
  const soonest = Math.min(...waiting.flatMap(({ holdUntil }) => holdUntil ?? []));
  return joined(
    [
      blocked > 0 ? `$(error) ${String(blocked)}` : '',
      waiting.length > blocked ? `$(bell-dot) ${String(waiting.length - blocked)}` : '',
      Number.isFinite(soonest) ? countdownText(soonest, now) : '',
    ],
    ' ',
  );
}

function line(ticket: TicketView, now: number): string {
  const state = joined([l10n.t(ticket.label), workText(ticket), holdText(ticket, now)]);
  return `${ticket.id} ${ticket.title}: ${state}`;
}
