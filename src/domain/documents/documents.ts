import { sha256 } from '../../base/sha256.ts';
import type { DocumentKind } from '../workflow/rows.ts';
import { rowOf, type Status } from '../workflow/workflow.ts';
import { beadRecordsDocument } from './beadRecords.ts';
import { beadsDocument } from './beads.ts';
import type { Document } from './base/document.ts';
import { findingsDocument } from './findings.ts';
import { handoffDocument } from './handoffReport.ts';
import { interviewDocument } from '../requirements/interview.ts';
import { prdDocument } from '../requirements/prd.ts';
import { promptRulesDocument } from './promptRules.ts';
import { qaChecklistDocument } from './qaChecklist.ts';
import { receivedHandoffDocument } from './receivedHandoff.ts';
import { relevantFilesDocument } from './relevantFiles.ts';
import { retrospectiveDocument } from './retrospectiveReport.ts';
import { setupPlanDocument } from './setupPlan.ts';
import { ticketLimitsDocument } from './ticketLimits.ts';
import { uatDocument } from './uatChecklist.ts';

/** All documents, in the order in which a ticket gets them. */
export const documents = {
  ticket_limits: ticketLimitsDocument,
  prompt_rules: promptRulesDocument,
  received_handoff: receivedHandoffDocument,
  relevant_files: relevantFilesDocument,
  interview: interviewDocument,
  prd: prdDocument,
  beads: beadsDocument,
  execution_setup_plan: setupPlanDocument,
  review_findings: findingsDocument,
  bead_records: beadRecordsDocument,
  manual_qa_checklist: qaChecklistDocument,
  retrospective_report: retrospectiveDocument,
  handoff_report: handoffDocument,
  uat_checklist: uatDocument,
} as const satisfies { readonly [K in DocumentKind]: { readonly kind: K } };

type Documents = typeof documents;
type KindsWith<Field extends string> = {
  [K in DocumentKind]: Field extends keyof Documents[K] ? K : never;
}[DocumentKind];

/** Documents that a person approves, and may edit. */
export type ApprovedKind = KindsWith<'approval'>;

/** Documents that people change outside of gates. */
export type UngatedKind = KindsWith<'ungated'>;

/** Documents that a council drafts. */
export type Domain = KindsWith<'council'>;

/** A document's value. */
export type DocumentValue<K extends ApprovedKind> = Parameters<Documents[K]['approval']['approved']>[0];

/** Every kind, in table order. */
export const documentKinds = Object.keys(documents) as readonly DocumentKind[];

/** Approved kinds, in table order. */
export const approvedKinds = documentKinds.filter(
  (kind): kind is ApprovedKind => 'approval' in documents[kind],
);

/** Kinds that people change outside of gates, in table order. */
export const ungatedKinds = documentKinds.filter((kind): kind is UngatedKind => 'ungated' in documents[kind]);

/** True for documents that people change outside of gates. */
export function isUngated(type: string): type is UngatedKind {
  return ungatedKinds.some((kind) => kind === type);
}

/** Council kinds, in table order. */
export const councilKinds = documentKinds.filter((kind): kind is Domain => 'council' in documents[kind]);

/** A kind's document, with every field that only some kinds have. */
export function documentOf(kind: DocumentKind): Document<unknown> {
  return documents[kind];
}

/** The document of an artifact type, if it is one. */
export function documentOfType(type: string): Document<unknown> | undefined {
  return documentKinds.some((kind) => kind === type) ? documentOf(type as DocumentKind) : undefined;
}

/** The kind that a gate approves, if any. */
export function approvedAt(status: Status): ApprovedKind | undefined {
  const { document, actions } = rowOf(status);
  return actions.approve ? approvedKinds.find((kind) => kind === document) : undefined;
}

/** All kinds that one decision at a gate approves, in table order. */
export function approvedTogether(status: Status): readonly ApprovedKind[] {
  const main = approvedAt(status);
  if (!main) return [];
  const beside = rowOf(status).beside ?? [];
  return approvedKinds.filter((kind) => kind === main || beside.includes(kind));
}

/** An approval's hash: the document's own, or one over all. */
export function approvalHash(hashes: readonly string[]): string {
  const [only = ''] = hashes;
  return hashes.length === 1 ? only : sha256(hashes.join('\n'));
}
