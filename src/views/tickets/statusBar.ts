import { l10n, type StatusBarItem, StatusBarAlignment, ThemeColor, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { stageLabel } from '../../domain/beads/beadStages.ts';
import { roleOf } from '../../domain/workflow/roles.ts';
import type { TicketView } from '../../protocol/api.ts';
import { commandId } from '../commands/commands.ts';
import { clockText, countdownText } from '../shared/plainText.ts';
import { holdText, workText, scriptedText } from '../shared/statusTexts.ts';
import type { Workbench } from '../shared/workbench.ts';
import { Countdown } from './countdown.ts';
import { needYou } from './ticketsView.ts';
import { focusView } from './ticketsViewId.ts';

/** Shows what runs and what needs the person, in one short item. Nothing at all when neither is the case. */
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
  item.text = [workingText(working, now), waitingText(waiting, now)].filter((part) => part !== '').join(' ');
  item.tooltip = [
    ...(isDemo ? [scriptedText()] : []),
    ...(waiting.length > 0 ? [needYou(waiting.length), ...waiting.map((ticket) => line(ticket, now))] : []),
    ...(working.length > 0 ? [l10n.t('In progress:'), ...working.map((ticket) => line(ticket, now))] : []),
  ].join('\n');
  item.accessibilityInformation = { label: `Beadsmith: ${item.tooltip}`, role: 'button' };
  // A click shows what needs the person; while nothing does, the view.
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
  return [runningText(running), pausingText(working, now)].filter((part) => part !== '').join(' ');
}

/** Returns the time when the first of the tickets that wait for a provider continues. */
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
  return [
    blocked > 0 ? `$(error) ${String(blocked)}` : '',
    waiting.length > blocked ? `$(bell-dot) ${String(waiting.length - blocked)}` : '',
    Number.isFinite(soonest) ? countdownText(soonest, now) : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function line(ticket: TicketView, now: number): string {
  const state = [l10n.t(ticket.label), workText(ticket), holdText(ticket, now)]
    .filter((part) => part !== '')
    .join(' · ');
  return `${ticket.id} ${ticket.title}: ${state}`;
}
