import {
  type Command,
  l10n,
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCheckboxState,
  TreeItemCollapsibleState,
  type Uri,
} from 'vscode';
import { joined } from '../../../base/joined.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { passesByItself } from '../../../domain/ticket/ticket.ts';
import { roleOf } from '../../../domain/workflow/roles.ts';
import type { TicketView } from '../../../protocol/api.ts';
import { commandId } from '../../commands/commands.ts';
import { menuCommands } from '../../commands/offered.ts';
import type { Target } from '../../commands/ticketTarget.ts';
import { errorText } from '../../shared/errorText.ts';
import { holdDetail, holdText, isInItsStatus, stateText, workText } from '../../shared/statusTexts.ts';
import type { NodeOf } from './nodes.ts';
import { pageSize } from './ticketList.ts';

export type Look = Pick<ItemParts, 'icon' | 'color'>;

export const looks = {
  working: { icon: 'sync~spin', color: 'charts.blue' },
  passed: { icon: 'pass', color: 'testing.iconPassed' },
  failed: { icon: 'error', color: 'problemsErrorIcon.foreground' },
};

export function warning(icon: string): Required<Look> {
  return { icon, color: 'problemsWarningIcon.foreground' };
}

export function repositoryParts({ root }: NodeOf<'repository'>, name: string): ItemParts {
  return { label: name, icon: 'repo', tooltip: () => root, context: 'repository', folded: false };
}

export function columnParts({ column }: NodeOf<'column'>, total: number): ItemParts {
  const label = l10n.t(column);
  const spoken = total === 1 ? l10n.t('{0}, 1 ticket', label) : l10n.t('{0}, {1} tickets', label, total);
  return {
    label,
    description: String(total),
    tooltip: () => spoken,
    spoken,
    context: 'column',
    folded: column === 'Done',
  };
}

export function moreParts({ root, column }: NodeOf<'more'>, left: number): ItemParts {
  return {
    label:
      left > pageSize ? l10n.t('Load {0} more of {1}…', pageSize, left) : l10n.t('Load the last {0}…', left),
    icon: 'ellipsis',
    context: 'more',
    command: {
      command: commandId('loadMore'),
      title: l10n.t('Load More'),
      arguments: [{ root, column } satisfies Target],
    },
  };
}

export function errorParts({
  message,
  nextStep,
}: {
  readonly message: string;
  readonly nextStep: string;
}): ItemParts {
  return {
    label: message,
    description: nextStep,
    ...looks.failed,
    context: 'error',
  };
}

/** The state comes first, because a narrow view cuts the end. */
export function ticketParts(view: TicketView): ItemParts {
  const now = Date.now();
  const state = stateText(view);
  const more = [
    kindText(view),
    ...(isInItsStatus(view)
      ? [damageText(view), holdText(view, now)]
      : [l10n.t(view.label), holdDetail(view, now)]),
    workText(view),
  ];
  return {
    label: joined([state, view.title]),
    description: joined([view.id, ...more]),
    ...ticketIcon(view),
    tooltip: () => ticketTooltip(view),
    spoken: joined(
      [state, view.title, view.id, ...more, view.needsPerson ? l10n.t('needs input') : ''],
      ', ',
    ),
    // Menus match a command's name between two semicolons.
    context: `ticket;${menuCommands(view).join(';')};`,
    folded: true,
  };
}

/** A click and the Enter key open its page. */
export function opensTicket({
  root,
  ticket,
}: Required<Pick<Target, 'root' | 'ticket'>>): Pick<ItemParts, 'command'> {
  return {
    command: {
      command: commandId('openTicket'),
      title: l10n.t('Open Ticket'),
      arguments: [{ root, ticket } satisfies Target],
    },
  };
}

function damageText({ id, damaged }: TicketView): string {
  if (damaged === undefined) return '';
  const { message, nextStep } = errorText(
    new BeadsmithError('TICKET_DAMAGED', { ticket: id, reason: damaged }),
  );
  return `${message} ${nextStep}`;
}

function kindText({ isLoop = false }: TicketView): string {
  return isLoop ? l10n.t('Loop') : '';
}

function beadsText({ beadsDone, beadsTotal, beadsSkipped = 0 }: TicketView): string {
  if (beadsSkipped > 0)
    return l10n.t(
      '{0} of {1} beads done, {2} skipped: the ticket is incomplete',
      beadsDone,
      beadsTotal,
      beadsSkipped,
    );
  return beadsTotal === 0 ? '' : l10n.t('{0} of {1} beads done', beadsDone, beadsTotal);
}

function ticketIcon(view: TicketView): Look {
  const role = roleOf(view.status);
  if (role === 'blocked' || view.damaged !== undefined) return looks.failed;
  if (role === 'canceled') return { icon: 'circle-slash', color: 'disabledForeground' };
  if (role === 'completed') return looks.passed;
  if (passesByItself(view.hold)) return { icon: 'watch' };
  if (view.hold === 'paused') return warning('debug-pause');
  if (view.needsPerson) return warning('circle-filled');
  return role === 'draft' ? { icon: 'circle-large-outline' } : looks.working;
}

/** The title comes from outside, so it is text here, never Markdown. */
function ticketTooltip(view: TicketView): MarkdownString {
  const tooltip = new MarkdownString('', true);
  tooltip.appendMarkdown(`**${view.id}** `);
  tooltip.appendText(view.title);
  tooltip.appendMarkdown('\n\n');
  // What is wrong with a damaged row may quote it.
  if (view.damaged !== undefined) return tooltip.appendText(damageText(view));
  tooltip.appendMarkdown(l10n.t(view.label));
  if (view.isLoop === true) tooltip.appendMarkdown(` · $(sync) ${kindText(view)}`);
  if (view.hold !== null) tooltip.appendMarkdown(` · ${holdText(view, Date.now())}`);
  if (view.beadsTotal > 0) tooltip.appendMarkdown(`\n\n${beadsText(view)}`);
  tooltip.appendMarkdown(
    `\n\n${l10n.t('Priority {0}', view.priority)} · ${l10n.t('changed {0}', new Date(view.updatedAt).toLocaleString())}`,
  );
  return tooltip;
}

/**
 * `context` is what menus match (`viewItem`); `folded` is left out where nothing is below; `uri` where there
 * is no file behind the row.
 */
export interface ItemParts {
  readonly label: string;
  readonly description?: string;
  readonly icon?: string;
  readonly color?: string;
  readonly tooltip?: () => MarkdownString | string;
  readonly spoken?: string;
  readonly context: string;
  readonly folded?: boolean;
  readonly command?: Command;
  readonly uri?: Uri;
  /** With a box to check. */
  readonly viewed?: boolean;
}

/**
 * The tooltip comes later, when a person points at the row. An address makes the editor ask every decoration
 * of every extension about a row, so only rows of files have one.
 */
export function toItem(id: string, parts: ItemParts): TreeItem {
  const { Collapsed, Expanded, None } = TreeItemCollapsibleState;
  const made = new TreeItem(
    parts.label,
    parts.folded === undefined ? None : parts.folded ? Collapsed : Expanded,
  );
  made.id = id;
  made.contextValue = parts.context;
  // Left to itself the editor looks through all menus of a row for what it says of it.
  made.accessibilityInformation = { label: parts.spoken ?? shownText(parts) };
  if (parts.uri) made.resourceUri = parts.uri;
  if (parts.description !== undefined) made.description = parts.description;
  if (parts.icon !== undefined)
    made.iconPath = new ThemeIcon(
      parts.icon,
      parts.color === undefined ? undefined : new ThemeColor(parts.color),
    );
  if (parts.command) made.command = parts.command;
  if (parts.viewed !== undefined)
    made.checkboxState = {
      state: TreeItemCheckboxState[parts.viewed ? 'Checked' : 'Unchecked'],
      tooltip: parts.viewed ? l10n.t('Viewed') : l10n.t('Mark as Viewed'),
      accessibilityInformation: { label: l10n.t('Viewed'), role: 'checkbox' },
    };
  return made;
}

export function tooltipOf(parts: ItemParts): MarkdownString | string {
  return parts.tooltip?.() ?? shownText(parts);
}

function shownText({ label, description = '' }: ItemParts): string {
  return joined([label, description], ', ');
}
