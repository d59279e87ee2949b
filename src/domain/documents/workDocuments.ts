import { sha256 } from '../../base/sha256.ts';
import type { DocumentKind } from '../workflow/rows.ts';
import { rowOf, type Status } from '../workflow/workflow.ts';
import { beadRecordsDocument } from './beadRecords.ts';
import { beadsDocument } from './beads.ts';
import { findingsDocument } from './findings.ts';
import { handoffDocument } from './handoffReport.ts';
import { interviewDocument } from '../requirements/interview.ts';
import { prdDocument } from '../requirements/prd.ts';
import { qaChecklistDocument } from './qaChecklist.ts';
import { receivedHandoffDocument } from './receivedHandoff.ts';
import { relevantFilesDocument } from './relevantFiles.ts';
import { retrospectiveDocument } from './retrospectiveReport.ts';
import { setupPlanDocument } from './setupPlan.ts';
import { uatDocument } from './uatChecklist.ts';

/**
 * Documents that the work on a ticket makes, in the order in which it makes them. They are apart from those
 * about settings, which pages have no use for.
 */
export const workDocuments = {
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
} as const satisfies { readonly [K in DocumentKind]?: { readonly kind: K } };

type Documents = typeof workDocuments;
type Kind = keyof Documents;
type KindsWith<Field extends string> = { [K in Kind]: Field extends keyof Documents[K] ? K : never }[Kind];

/** Documents that a person approves, and may edit. */
export type ApprovedKind = KindsWith<'approval'>;

/** Documents that a council drafts. */
export type Domain = KindsWith<'council'>;

/** A document's value. */
export type DocumentValue<K extends ApprovedKind> = Parameters<Documents[K]['approval']['approved']>[0];

const kinds = Object.keys(workDocuments) as readonly Kind[];

/** Approved kinds, in table order. */
export const approvedKinds = kinds.filter((kind): kind is ApprovedKind => 'approval' in workDocuments[kind]);

/** Council kinds, in table order. */
export const councilKinds = kinds.filter((kind): kind is Domain => 'council' in workDocuments[kind]);

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
