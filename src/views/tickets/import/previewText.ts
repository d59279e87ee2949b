import { l10n } from 'vscode';
import { fenced, inline } from '../../../base/markdown.ts';
import { visible } from '../../../base/visible.ts';
import { importFormats } from '../../../domain/import/imported.ts';
import type { PlannedImport } from '../../../domain/import/importPlan.ts';
import type { ReadImport } from '../../../domain/import/ticketSources.ts';

/** Characters of the tickets' texts, and lines of what wasn't understood. */
const mostText = 1_000_000;
const mostLines = 500;

export function isDue({ state }: PlannedImport): boolean {
  return state === 'new' || state === 'changed';
}

/** The label of what imports them; empty if there is nothing to do. */
export function importLabel(plan: readonly PlannedImport[]): string {
  const created = plan.filter(({ state }) => state === 'new').length;
  const updated = plan.filter(({ state }) => state === 'changed').length;
  if (created > 0 && updated > 0) return l10n.t('Import {0} and Update {1} Tickets', created, updated);
  if (updated > 0) return updated === 1 ? l10n.t('Update 1 Ticket') : l10n.t('Update {0} Tickets', updated);
  if (created === 0) return '';
  return created === 1 ? l10n.t('Import 1 Ticket') : l10n.t('Import {0} Tickets', created);
}

/**
 * Markdown that shows what becomes of the sources. Texts from files stand in code blocks, where the editor
 * makes no links, or are escaped.
 */
export function previewText({ plan, done, notUnderstood }: ReadImport): string {
  const label = importLabel(plan);
  let left = mostText;
  const tickets = plan.flatMap((planned) => {
    const [head, text] = [headText(planned), bodyText(planned)];
    const isWhole = text.length <= left;
    left -= text.length;
    if (isWhole) return text === '' ? [head] : [head, text];
    return [head, l10n.t('Too long for this preview; it’s imported as a whole.')];
  });
  const others = notUnderstood
    .slice(0, mostLines)
    .map(({ where, text }) => `- ${code(where)}: ${code(text)}`);
  const more = notUnderstood.length - others.length;
  return [
    `# ${l10n.t('Import Preview')}`,
    label === ''
      ? l10n.t('There’s nothing to import.')
      : l10n.t('Nothing is stored until you choose “{0}”.', label),
    ...(done > 0 ? [l10n.t('Done in the source and left out: {0}', done)] : []),
    ...tickets,
    ...(others.length > 0 ? [`## ${l10n.t('Not Understood')}`, others.join('\n')] : []),
    ...(more > 0 ? [l10n.t('And {0} more', more)] : []),
  ]
    .join('\n\n')
    .concat('\n');
}

function headText({ state, ticket, title, imported }: PlannedImport): string {
  const id = ticket ?? '';
  const name = plain(title);
  const heading = {
    new: () => l10n.t('New: {0}', name),
    changed: () => l10n.t('Update {0}: {1}', id, name),
    same: () => l10n.t('Up to date: {0} {1}', id, name),
    started: () => l10n.t('Already started and not changed: {0} {1}', id, name),
  }[state]();
  const { format, path, id: source, requirements, tasks, dependsOn } = imported;
  const open = tasks.filter((task) => !task.done);
  const counts: readonly (readonly [string, number])[] = [
    [l10n.t('Requirements'), requirements.length],
    [l10n.t('Criteria'), requirements.reduce((sum, { criteria }) => sum + criteria.length, 0)],
    [l10n.t('Open tasks, as drafts of beads'), open.length],
    [l10n.t('Dependencies'), dependsOn.length + open.reduce((sum, task) => sum + task.dependsOn.length, 0)],
    [l10n.t('Done tasks, left out'), tasks.length - open.length],
  ];
  const facts = counts.filter(([, count]) => count > 0).map(([what, count]) => `${what}: ${String(count)}`);
  const from = [importFormats[format], code(path), ...(source === '' ? [] : [code(source)])].join(' · ');
  return `## ${heading}\n\n${[from, ...facts].map((line) => `- ${line}`).join('\n')}`;
}

function bodyText({ state, diff, description }: PlannedImport): string {
  if (state === 'changed') return fenced(visible(diff.join('\n')), 'diff');
  return state === 'new' && description !== '' ? fenced(visible(description), 'markdown') : '';
}

const longestCode = 1_000;

/** On one line, as it is written. */
function code(text: string): string {
  const words = visible(text).replace(/\s+/g, ' ').slice(0, longestCode);
  const longest = Math.max(0, ...[...words.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${words}${fence}` : `${fence} ${words} ${fence}`;
}

function plain(text: string): string {
  return inline(visible(text));
}
