import { l10n } from 'vscode';
import { documentKinds, documentOf } from '../../domain/documents/documents.ts';
import type { DocumentKind } from '../../domain/workflow/rows.ts';
import type { DocumentType } from './documentTypes.ts';

/** Returns the display name of a document. */
export function documentTitle(type: DocumentType): string {
  return artifactTitle(type);
}

/** Returns the display name of any artifact: one without a name of its own is named after its type. */
export function artifactTitle(type: string): string {
  const known = titles();
  const [base = type, about] = type.split(':');
  if (base === 'bead_diff') return l10n.t('Diff');
  const plain = base.replaceAll('_', ' ');
  if (Object.hasOwn(known, type)) return known[type] ?? type;
  return `${plain.slice(0, 1).toUpperCase()}${plain.slice(1)}${about === undefined ? '' : `: ${about}`}`;
}

function titles(): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(documentKinds.map((kind) => [kind, l10n.t(documentOf(kind).title)])),
    ...reportTitles(),
  };
}

function reportTitles(): Readonly<Record<Exclude<DocumentType, DocumentKind>, string>> {
  return {
    final_test_report: l10n.t('Final test'),
    integration_report: l10n.t('Integration'),
    pull_request_report: l10n.t('Pull request'),
  };
}
