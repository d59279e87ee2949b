import { l10n } from 'vscode';
import type { DocumentType } from './ticketFacts.ts';

/** What people call a document. */
export function documentTitle(type: DocumentType): string {
  return titles()[type];
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
