import { l10n } from 'vscode';
import { documentOfType } from '../../domain/documents/documents.ts';

/** Explains what drafting a document again does to its current version. */
export function regenerationText(artifact: string): string {
  const own = documentOfType(artifact)?.approval?.regenerates;
  return own === undefined
    ? l10n.t('This creates the document again. The current one is kept as an earlier version.')
    : l10n.t(own);
}
