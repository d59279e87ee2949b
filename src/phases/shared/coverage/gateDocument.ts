import { type ApprovedKind, documentOf, type DocumentValue } from '../../../domain/documents/documents.ts';
import { writeText } from '../../../domain/documents/base/text.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { RecordIo, Run } from '../../../engine/run/run.ts';
import { artifactChange, type Place, storedDocument, type StoreIo } from '../ticket/artifacts.ts';
import type { Resolution } from './coverageLoop.ts';
import { type Sized, sized } from '../ticket/receipts.ts';

/** The current version of a document, with the hash that a decision must carry. */
export interface Present<T> extends Sized, Place {
  readonly document: T;
}

/** One targeted revision and audit for the open gaps; stores both. Answers what was done about each. */
type FixGaps = (
  run: Run,
  ticket: TicketSnapshot,
  round: { readonly key: string; readonly gaps: readonly string[]; readonly history: readonly Resolution[] },
) => Promise<readonly Resolution[]>;

/** A document's store, and what its gate does with a model. Everything happens inside a step. */
export interface GateDocument<T> {
  readonly present: (io: StoreIo) => Promise<Present<T> | undefined>;
  /** Stages a version in the place of the current one. */
  save(io: RecordIo, document: T, place: Place): Sized;
  /** Returns why an edit can't be used beside other documents, such as for names that they don't have. */
  problem?(io: StoreIo, document: T): Promise<string | undefined>;
  /** Throws away what is built on the document, after an edit. Answers the artifact types. */
  invalidate?(io: RecordIo): Promise<readonly string[]>;
  /** Set when its gate can have open gaps fixed. */
  readonly fixGaps?: FixGaps;
  /** One fresh audit; stores the report only. Set when its gate can have one. `key`: prefix of its steps. */
  checkAgain?(run: Run, ticket: TicketSnapshot, key: string): Promise<void>;
  /** Keeps the note of a person who wants a new draft, where the exit alone doesn't hand it over. */
  keepNote?(io: RecordIo, ticket: TicketSnapshot, note: string): Promise<void>;
}

/** The gate's side of every document that is approved. */
export type GateDocuments = { readonly [K in ApprovedKind]: GateDocument<DocumentValue<K>> };

/** A document whose current version is an artifact. */
export function artifactDocument<K extends ApprovedKind>(kind: K): GateDocument<DocumentValue<K>> {
  const { schema, format } = documentOf(kind);
  return {
    present: async (io) => {
      if ((await io.ports.store.artifact(io.ticket, kind)) === undefined) return undefined;
      const { document, content, status, attempt } = await storedDocument(io, kind, schema);
      return { document: document as DocumentValue<K>, ...sized(content), status, attempt };
    },
    save: (io, document, place) => {
      const content = writeText(format, document);
      io.save(artifactChange(place, kind, content));
      return sized(content);
    },
  };
}
