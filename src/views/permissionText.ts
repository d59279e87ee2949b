import { l10n } from 'vscode';
import type { RequestContent } from '../domain/agentRequest.ts';

/** What an agent wants to be allowed, as an infinitive; OpenCode's own word where there is no better one. */
export function permissionText({ permission }: Extract<RequestContent, { kind: 'permission' }>): string {
  switch (permission) {
    case 'external_directory':
      return l10n.t('leave its worktree');
    case 'bash':
      return l10n.t('run this');
    case 'edit':
      return l10n.t('change this');
    case 'webfetch':
      return l10n.t('look this up on the web');
    default:
      return l10n.t('use {0}', permission);
  }
}
