import type { Document } from '../../../domain/documents/base/document.ts';
import { documentOf } from '../../../domain/documents/documents.ts';
import { type ApprovedKind, approvedAt, approvedTogether } from '../../../domain/documents/workDocuments.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { GateDocument, GateDocuments } from '../coverage/gateDocument.ts';

/** A document at a gate. */
export interface Waiting {
  readonly kind: ApprovedKind;
  readonly document: Document<unknown>;
  readonly gate: GateDocument<unknown>;
}

/** `main`: the document that the row names, which gaps are fixed in. */
export interface Together {
  readonly main: Waiting;
  readonly all: readonly Waiting[];
}

export function waitingAt(gates: GateDocuments, { status }: TicketSnapshot): Together {
  const kind = approvedAt(status);
  if (!kind)
    throw new BeadsmithError('UNEXPECTED', { reason: `${status} names no document that is approved` });
  const waiting = (one: ApprovedKind): Waiting => {
    return { kind: one, document: documentOf(one), gate: gates[one] };
  };
  return { main: waiting(kind), all: approvedTogether(status).map(waiting) };
}
