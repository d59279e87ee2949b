import { l10n } from 'vscode';
import type { ContextEntry, ContextMode, ContextState } from '../../domain/prompts/contextEntries.ts';
import { isEditable } from '../../domain/prompts/promptChoices.ts';
import type { ContextRow } from '../../protocol/pages/reviews.ts';

const longest = 2_000;

/** See docs/decisions/141-context-inbox.md. */
export function contextRow({ id, text, author, mode, state, at, deliveredIn }: ContextEntry): ContextRow {
  return {
    id,
    text: text.length > longest ? `${text.slice(0, longest)} …` : text,
    author: author === 'user' ? l10n.t('You') : author,
    mode: modeText(mode),
    state,
    label: contextStateText(state),
    at,
    isEditable: isEditable({ mode, state }),
    where: deliveredIn.map(({ bead, iteration }) => l10n.t('{0}, iteration {1}', bead, iteration)),
  };
}

function modeText(mode: ContextMode): string {
  return { once: l10n.t('once'), until_done: l10n.t('until done'), pinned: l10n.t('pinned') }[mode];
}

function contextStateText(state: ContextState): string {
  const texts: Readonly<Record<ContextState, string>> = {
    queued: l10n.t('queued'),
    delivered: l10n.t('delivered'),
    acknowledged: l10n.t('acknowledged by the agent'),
    consumed: l10n.t('used'),
    withdrawn: l10n.t('withdrawn'),
  };
  return texts[state];
}
