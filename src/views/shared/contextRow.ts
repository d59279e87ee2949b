import { l10n } from 'vscode';
import {
  type ContextEntry,
  contextModeLabels,
  contextStateLabels,
} from '../../domain/prompts/contextEntries.ts';
import { isEditable } from '../../domain/prompts/promptChoices.ts';
import type { ContextRow } from '../../protocol/pages/reviews.ts';

const longest = 2_000;

/** See docs/decisions/141-context-inbox.md. */
export function contextRow({ id, text, author, mode, state, at, deliveredIn }: ContextEntry): ContextRow {
  return {
    id,
    text: text.length > longest ? `${text.slice(0, longest)} …` : text,
    author: author === 'user' ? l10n.t('You') : author,
    mode: l10n.t(contextModeLabels[mode]),
    state,
    label: l10n.t(contextStateLabels[state]),
    at,
    isEditable: isEditable({ mode, state }),
    where: deliveredIn.map(({ bead, iteration }) => l10n.t('{0}, iteration {1}', bead, iteration)),
  };
}
