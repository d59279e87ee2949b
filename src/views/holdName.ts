import { l10n } from 'vscode';

/** Why a ticket pauses, as people call it. */
export function holdName(kind: string): string {
  return names()[kind] ?? kind;
}

function names(): Readonly<Record<string, string>> {
  return {
    question: l10n.t('An agent asks'),
    permission: l10n.t('An agent wants to be allowed something'),
    quota: l10n.t('Over quota'),
    budget: l10n.t('Over budget'),
    paused: l10n.t('Paused'),
    offline: l10n.t('Offline'),
    disk: l10n.t('The disk is full'),
  };
}
