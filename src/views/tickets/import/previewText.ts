import { l10n } from 'vscode';
import { fenced, inline } from '../../../base/markdown.ts';
import { visible } from '../../../base/visible.ts';
import { importFormats } from '../../../domain/import/imported.ts';
import {
  importCounts,
  importLabel,
  importTexts,
  type PlannedImport,
} from '../../../domain/import/importPlan.ts';
import type { ReadImport } from '../../../domain/import/ticketSources.ts';
import { words } from '../../shared/errorText.ts';

/** Characters of the tickets' texts, and lines of what wasn't understood. */
const mostText = 1_000_000;
const mostLines = 500;

/**
 * Markdown that shows what becomes of the sources. Texts from files stand in code blocks, where the editor
 * makes no links, or are escaped.
 */
export function previewText({ plan, done, notUnderstood }: ReadImport): string {
  const label = importLabel(plan, words);
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
    label === '' ? l10n.t(importTexts.nothing) : l10n.t('Nothing is stored until you choose “{0}”.', label),
    ...(done > 0 ? [l10n.t(importTexts.done, done)] : []),
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
  const { format, path, id: source, tasks, dependsOn } = imported;
  const { requirements, criteria, done } = importCounts(imported);
  const open = tasks.filter((task) => !task.done);
  const counts: readonly (readonly [string, number])[] = [
    [l10n.t('Requirements'), requirements],
    [l10n.t('Criteria'), criteria],
    [l10n.t('Open tasks, as drafts of beads'), open.length],
    [l10n.t('Dependencies'), dependsOn.length + open.reduce((sum, task) => sum + task.dependsOn.length, 0)],
    [l10n.t('Done tasks, left out'), done],
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
  const line = visible(text).replace(/\s+/g, ' ').slice(0, longestCode);
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

function plain(text: string): string {
  return inline(visible(text));
}
