import { l10n, StatusBarAlignment, type StatusBarItem, ThemeColor, window } from 'vscode';
import { joined } from '../../base/joined.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { stageLabel } from '../../domain/beads/beadStages.ts';
import { roleOf } from '../../domain/workflow/roles.ts';
import type { TicketView } from '../../protocol/api.ts';
import { commandId } from '../commands/commands.ts';
import { plainTitle } from '../commands/commandTitles.ts';
import { ownTarget } from '../shared/ownTargets.ts';
import { clockText, countdownText } from '../shared/plainText.ts';
import { holdText, scriptedText, workText } from '../shared/statusTexts.ts';
import type { Workbench } from '../shared/workbench.ts';
import { Countdown } from './countdown.ts';
import { needYou } from './ticketsView.ts';

export function statusBar({ board }: Workbench): Disposable {
  const parts = new DisposableStore();
  const item = parts.add(window.createStatusBarItem('beadsmith.waiting', StatusBarAlignment.Left, 20));
  item.name = l10n.t('Beadsmith Tickets');
  const countdown = parts.add(new Countdown(board));
  const show = (): void => {
    const waiting = board.waiting.map(({ row, ticket }) => ({ root: row.root, ticket })).toSorted(byUrgency);
    const working = board.rows
      .flatMap(({ root, tickets }) => tickets.filter(isWorking).map((ticket) => ({ root, ticket })))
      .toSorted(byActivity);
    const [first] = [...waiting, ...working];
    if (first) fill(item, first, waiting, working, board);
    else item.hide();
  };
  parts.add(board.onDidChange(show));
  parts.add(countdown.onDidTick(show));
  show();
  return parts;
}

interface Place {
  readonly root: string;
  readonly ticket: TicketView;
}

/** Requests that expire come first, then blocked tickets, then those of higher priority. */
function byUrgency({ ticket: a }: Place, { ticket: b }: Place): number {
  return (
    (a.holdUntil ?? Infinity) - (b.holdUntil ?? Infinity) ||
    Number(isBlocked(b)) - Number(isBlocked(a)) ||
    a.priority - b.priority ||
    a.updatedAt - b.updatedAt
  );
}

/** Tickets that are coded now, then others that run, then paused ones. */
function byActivity({ ticket: a }: Place, { ticket: b }: Place): number {
  const rank = ({ hold, coding }: TicketView): number => (hold !== null ? 2 : coding ? 0 : 1);
  return rank(a) - rank(b);
}

function fill(
  item: StatusBarItem,
  first: Place,
  waiting: readonly Place[],
  working: readonly Place[],
  board: Workbench['board'],
): void {
  const now = Date.now();
  const who = workingText(working, now);
  const spins = waiting.length === 0 && working.some(({ ticket }) => ticket.hold === null);
  item.text = joined([waitingText(waiting, now), spins ? `$(sync~spin) ${who}` : who]);
  const isDemo = board.rows.some(({ repository }) => repository?.isDemo === true);
  const tooltip = [
    ...(isDemo ? [scriptedText()] : []),
    ...(waiting.length > 0 ? [needYou(waiting.length), ...lines(waiting, now)] : []),
    ...(working.length > 0 ? [l10n.t('In progress:'), ...lines(working, now)] : []),
  ].join('\n');
  item.tooltip = tooltip;
  item.accessibilityInformation = { label: `Beadsmith: ${tooltip}`, role: 'button' };
  const target = ownTarget({ root: first.root, ticket: first.ticket.id });
  item.command = {
    command: commandId('openTicket'),
    title: plainTitle('openTicket'),
    arguments: [target],
  };
  const warns = waiting.some(({ ticket }) => isBlocked(ticket));
  item.backgroundColor = warns ? new ThemeColor('statusBarItem.errorBackground') : undefined;
  item.show();
}

function isBlocked({ status }: TicketView): boolean {
  return roleOf(status) === 'blocked';
}

function isWorking({ column, preparing }: TicketView): boolean {
  return column === 'In Progress' || preparing;
}

function workingText(working: readonly Place[], now: number): string {
  const running = working.filter(({ ticket }) => ticket.hold === null);
  return joined([runningText(running), pausingText(working, now)], ' ');
}

function pausingText(working: readonly Place[], now: number): string {
  const soonest = Math.min(
    ...working.flatMap(({ ticket: { hold, holdUntil } }) => (hold === null ? [] : (holdUntil ?? []))),
  );
  return Number.isFinite(soonest) ? `$(watch) ${clockText(soonest, now)}` : '';
}

function runningText([first, ...others]: readonly Place[]): string {
  if (!first) return '';
  const { ticket } = first;
  const { id, coding, beadsTotal } = ticket;
  const stage = coding?.stage ?? null;
  const what = stage === null ? l10n.t(ticket.label) : l10n.t(stageLabel(stage));
  const bead = coding ? `${String(coding.number)}/${String(beadsTotal)}` : '';
  return joined([`${id}: ${what}`, bead, others.length > 0 ? `+${String(others.length)}` : ''], ' ');
}

function waitingText(waiting: readonly Place[], now: number): string {
  const blocked = waiting.filter(({ ticket }) => isBlocked(ticket)).length;
  const soonest = Math.min(...waiting.flatMap(({ ticket }) => ticket.holdUntil ?? []));
  return joined(
    [
      blocked > 0 ? `$(error) ${String(blocked)}` : '',
      waiting.length > blocked ? `$(bell-dot) ${String(waiting.length - blocked)}` : '',
      Number.isFinite(soonest) ? countdownText(soonest, now) : '',
    ],
    ' ',
  );
}

/** A tooltip doesn't scroll. */
const mostLines = 10;
const longestTitle = 60;

function lines(places: readonly Place[], now: number): readonly string[] {
  const more = places.length - mostLines;
  const shown = places.slice(0, mostLines).map(({ ticket }) => line(ticket, now));
  return more > 0 ? [...shown, l10n.t('and {0} more', more)] : shown;
}

function line(ticket: TicketView, now: number): string {
  const { id, title } = ticket;
  const state = joined([l10n.t(ticket.label), workText(ticket), holdText(ticket, now)]);
  const short = title.length > longestTitle ? `${title.slice(0, longestTitle).trimEnd()}…` : title;
  return `${id} ${short}: ${state}`;
}
