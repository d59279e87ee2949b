import { l10n } from 'vscode';
import type { BaseTexts } from '../../../protocol/pages/texts.ts';

/** What every page says. */
export function baseTexts(): BaseTexts {
  return {
    loading: l10n.t('Loading…'),
    crashed: l10n.t('This page ran into a problem. What you typed is kept. Details are in the log.'),
    reload: l10n.t('Reload This Page'),
    noAnswer: l10n.t('There was no answer within {0} seconds. It may still arrive; look at the present state before you try again.'),
    closed: l10n.t('The page was closed before the answer came.'),
    unreadable: l10n.t('This page and the extension don’t understand each other. Reload the window.'),
    dismiss: l10n.t('Dismiss'),
  };
}
