import type { DocumentKind } from '../workflow/rows.ts';
import type { Document } from './base/document.ts';
import { promptRulesDocument } from './promptRules.ts';
import { ticketLimitsDocument } from './ticketLimits.ts';
import { workDocuments } from './workDocuments.ts';

/** All documents, in the order in which a ticket gets them. */
export const documents = {
  ticket_limits: ticketLimitsDocument,
  prompt_rules: promptRulesDocument,
  ...workDocuments,
} as const satisfies { readonly [K in DocumentKind]: { readonly kind: K } };

type Documents = typeof documents;
type KindsWith<Field extends string> = {
  [K in DocumentKind]: Field extends keyof Documents[K] ? K : never;
}[DocumentKind];

/** Documents that people change outside of gates. */
export type UngatedKind = KindsWith<'ungated'>;

/** Every kind, in table order. */
export const documentKinds = Object.keys(documents) as readonly DocumentKind[];

/** Kinds that people change outside of gates, in table order. */
export const ungatedKinds = documentKinds.filter((kind): kind is UngatedKind => 'ungated' in documents[kind]);

/** True for documents that people change outside of gates. */
export function isUngated(type: string): type is UngatedKind {
  return ungatedKinds.some((kind) => kind === type);
}

/** A kind's document, with every field that only some kinds have. */
export function documentOf(kind: DocumentKind): Document<unknown> {
  return documents[kind];
}

/** The document of an artifact type, if it is one. */
export function documentOfType(type: string): Document<unknown> | undefined {
  return documentKinds.some((kind) => kind === type) ? documentOf(type as DocumentKind) : undefined;
}
