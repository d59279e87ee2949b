import { documentOf } from '../../../domain/documents/documents.ts';
import type { ApprovedKind, DocumentValue } from '../../../domain/documents/workDocuments.ts';
import { writeText } from '../../../domain/documents/base/text.ts';
import type { GateRule } from '../../../domain/workflow/receipts.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { RecordIo, Run } from '../../../engine/run/run.ts';
import { artifactChange, type Place, storedDocument, type StoreIo } from '../ticket/artifacts.ts';
import type { Resolution } from './coverageLoop.ts';
import { type Sized, sized } from '../ticket/receipts.ts';

export interface Present<T> extends Sized, Place {
  readonly document: T;
}

type FixGaps = (
  run: Run,
  ticket: TicketSnapshot,
  round: { readonly key: string; readonly gaps: readonly string[]; readonly history: readonly Resolution[] },
) => Promise<readonly Resolution[]>;

/** A document's store, and what its gate does with a model. Everything happens inside a step. */
export interface GateDocument<T> {
  readonly present: (io: StoreIo) => Promise<Present<T> | undefined>;
  save(io: RecordIo, document: T, place: Place): Sized;
  /** The reason why an edit doesn't fit other documents. */
  problem?(io: StoreIo, document: T): Promise<string | undefined>;
  /** Throws away what is built on the document. Answers the artifact types. */
  invalidate?(io: RecordIo): Promise<readonly string[]>;
  /** The rule by which its gate is passed; undefined where a person must decide. Only facts of the engine. */
  rule?(io: RecordIo, document: T): Promise<GateRule | undefined>;
  readonly fixGaps?: FixGaps;
  /** Stores the report only. `key`: prefix of its steps. */
  checkAgain?(run: Run, ticket: TicketSnapshot, key: string): Promise<void>;
  /** If the exit alone doesn't hand the note over. */
  keepNote?(io: RecordIo, ticket: TicketSnapshot, note: string): Promise<void>;
}

export type GateDocuments = { readonly [K in ApprovedKind]: GateDocument<DocumentValue<K>> };

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
