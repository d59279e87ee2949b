import { l10n } from 'vscode';
import type { DocumentType } from './documentTypes.ts';

/** What people call a document. */
export function documentTitle(type: DocumentType): string {
  return titles()[type];
}

/** What people call any artifact: one without a name of its own is called by its type. */
export function artifactTitle(type: string): string {
  const known: Readonly<Record<string, string>> = titles();
  const [base = type, about] = type.split(':');
  if (base === 'bead_diff') return l10n.t('Diff');
  const plain = base.replaceAll('_', ' ');
  return known[type] ?? `${plain.slice(0, 1).toUpperCase()}${plain.slice(1)}${about === undefined ? '' : `: ${about}`}`;
}

function titles(): Readonly<Record<DocumentType, string>> {
  return {
    relevant_files: l10n.t('Relevant files'),
    interview: l10n.t('Interview'),
    prd: l10n.t('PRD'),
    beads: l10n.t('Beads'),
    execution_setup_plan: l10n.t('Setup plan'),
    final_test_report: l10n.t('Final test'),
    manual_qa_checklist: l10n.t('QA checklist'),
    integration_report: l10n.t('Integration'),
    pull_request_report: l10n.t('Pull request'),
  };
}
