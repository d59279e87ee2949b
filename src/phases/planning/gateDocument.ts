import type { InboxBody } from '../../domain/inbox.ts';
import type { RecordIo } from '../../engine/run.ts';
import type { Sized } from './receipts.ts';

/** What a gate guards: how its document is hashed, stamped and edited. Everything happens inside a step. */
export interface GateDocument {
  readonly artifact: 'interview' | 'prd' | 'beads';
  /** At the beginning of a sentence. */
  readonly shown: string;
  /** The hash a decision must carry, and the size. */
  readonly present: (io: RecordIo) => Promise<Sized>;
  /** Marks the document as approved, stores it. Answers the hash it has now. */
  readonly approve: (io: RecordIo, at: string) => Promise<string>;
  /** Checks an edited document and stores it as a draft. Nothing is stored when it is refused. */
  readonly edit: (io: RecordIo, edit: InboxBody<'edit'>) => Promise<EditOutcome>;
}

export type EditOutcome =
  { readonly ok: true; readonly after: Sized; readonly invalidated: readonly string[] } | { readonly ok: false; readonly reason: string };
