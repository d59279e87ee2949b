import { documentOf } from '../domain/documents/documents.ts';
import { approvedKinds } from '../domain/documents/workDocuments.ts';
import { ApprovalReceipt, gateRuleTexts } from '../domain/workflow/receipts.ts';
import type { Client } from './api.ts';
import { readDocument } from './readDocument.ts';

/** A document's approval, or the rule that passed it. */
export interface ApprovalView {
  readonly artifact: string;
  readonly title: string;
  readonly by: ApprovalReceipt['approved_by'];
  /** ISO text. */
  readonly at: string;
  /** Of the receipt; of a rule, the sentence that names it. */
  readonly reason: string;
  readonly gaps: readonly string[];
}

/** The approvals that hold, the newest of each document, in the order in which a ticket gets them. */
export async function readApprovals(client: Client, ticket: string): Promise<readonly ApprovalView[]> {
  const found = new Map<string, ApprovalView>();
  for (const { type, version, archived } of await client.artifacts(ticket)) {
    if (type !== 'approval_receipt' || archived) continue;
    const stored = await client.artifact(ticket, type, version);
    const receipt = ApprovalReceipt.safeParse(stored && (await readDocument(stored.content))).data;
    const kind = approvedKinds.find((one) => one === receipt?.artifact);
    if (!receipt || !kind) continue;
    const { approved_by: by, approved_at: at, rule, reason, with_gaps: gaps } = receipt;
    const said = rule === undefined ? reason : gateRuleTexts[rule];
    found.set(kind, { artifact: kind, title: documentOf(kind).title, by, at, reason: said, gaps });
  }
  return approvedKinds.flatMap((kind) => found.get(kind) ?? []);
}

/** An approval in words, without a person's reason. */
export function approvalText({ title, by, reason }: ApprovalView): string {
  return by === 'policy' ? `${title}: ${lowerFirst(reason)}` : `${title}: approved by a person`;
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
