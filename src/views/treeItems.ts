import { l10n, MarkdownString, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { assertNever } from '../base/assertNever.ts';
import { isTerminal, rowOf } from '../domain/workflow.ts';
import type { TicketView } from '../protocol/api.ts';
import { commandId } from './commands.ts';
import { documentTitle } from './documentTitles.ts';
import { offeredCommands } from './offered.ts';
import type { Fact } from './ticketFacts.ts';

export interface TicketNode {
  readonly kind: 'ticket';
  readonly root: string;
  readonly ticket: string;
  readonly view: TicketView;
}

export interface FactNode {
  readonly kind: 'fact';
  readonly root: string;
  readonly ticket: string;
  readonly fact: Fact;
  readonly index: number;
}

export function ticketItem({ root, view }: TicketNode): TreeItem {
  const item = new TreeItem(`${view.id} ${view.title}`, TreeItemCollapsibleState.Collapsed);
  item.id = `${root}#${view.id}`;
  item.iconPath = ticketIcon(view);
  item.description = [progress(view), l10n.t(view.label), holdText(view.hold)].filter((part) => part !== '').join(' · ');
  item.tooltip = ticketTooltip(view);
  // Menus match a command's name between two semicolons.
  item.contextValue = `ticket;${offeredCommands(view).join(';')};`;
  item.accessibilityInformation = {
    label: l10n.t('{0}, {1}, {2}', view.id, view.title, [l10n.t(view.label), view.needsPerson ? l10n.t('needs you') : ''].join(' ')),
  };
  return item;
}

export function factItem({ root, ticket, fact, index }: FactNode): TreeItem {
  const item = factOf(fact);
  item.id = `${root}#${ticket}#${String(index)}#${fact.kind}`;
  item.contextValue = `fact;${fact.kind}`;
  if (fact.kind === 'document')
    item.command = { command: commandId('showArtifact'), title: l10n.t('Show'), arguments: [{ root, ticket, artifact: fact.artifact }] };
  return item;
}

export function errorItem(id: string, message: string, nextStep: string): TreeItem {
  const item = new TreeItem(message);
  item.id = `${id}#error`;
  item.iconPath = new ThemeIcon('error', new ThemeColor('list.errorForeground'));
  item.description = nextStep;
  item.tooltip = `${message}\n${nextStep}`;
  return item;
}

function factOf(fact: Fact): TreeItem {
  switch (fact.kind) {
    case 'status':
      return plain(l10n.t('Status'), [l10n.t(fact.label), holdText(fact.hold)].filter((part) => part !== '').join(' · '), 'info');
    case 'beads':
      return plain(l10n.t('Beads'), l10n.t('{0} of {1} done', fact.done, fact.total), 'checklist');
    case 'branch':
      return plain(l10n.t('Branch'), fact.branch, 'git-branch');
    case 'document':
      return plain(documentTitle(fact.artifact), '', 'file');
    case 'error':
      return errorItem('', fact.message, fact.nextStep);
    default:
      return assertNever(fact);
  }
}

function plain(label: string, description: string, icon: string): TreeItem {
  const item = new TreeItem(label);
  item.description = description;
  item.tooltip = description === '' ? label : `${label}: ${description}`;
  item.iconPath = new ThemeIcon(icon);
  return item;
}

function progress({ beadsDone, beadsTotal }: TicketView): string {
  return beadsTotal === 0 ? '' : `${String(beadsDone)}/${String(beadsTotal)}`;
}

function holdText(hold: string | null): string {
  if (hold === null) return '';
  return hold === 'paused' ? l10n.t('paused') : l10n.t('held: {0}', hold);
}

function ticketIcon(view: TicketView): ThemeIcon {
  if (view.status === 'BLOCKED_ERROR') return new ThemeIcon('error', new ThemeColor('list.errorForeground'));
  if (view.status === 'CANCELED') return new ThemeIcon('circle-slash', new ThemeColor('disabledForeground'));
  if (isTerminal(view.status)) return new ThemeIcon('pass', new ThemeColor('testing.iconPassed'));
  if (view.hold !== null) return new ThemeIcon('debug-pause', new ThemeColor('list.warningForeground'));
  if (view.status === 'DRAFT') return new ThemeIcon('circle-large-outline');
  if (view.needsPerson) return new ThemeIcon('bell-dot', new ThemeColor('list.warningForeground'));
  return new ThemeIcon('sync~spin', new ThemeColor('charts.blue'));
}

/** The title comes from outside, so it is text here, never Markdown. */
function ticketTooltip(view: TicketView): MarkdownString {
  const tooltip = new MarkdownString('', true);
  tooltip.appendMarkdown(`**${view.id}** `);
  tooltip.appendText(view.title);
  tooltip.appendMarkdown(`\n\n${l10n.t(rowOf(view.status).label)}`);
  if (view.beadsTotal > 0) tooltip.appendMarkdown(`\n\n${l10n.t('{0} of {1} beads done', view.beadsDone, view.beadsTotal)}`);
  return tooltip;
}
