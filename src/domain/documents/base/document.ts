import type * as z from 'zod';
import type { Settled } from '../../../base/result.ts';
import type { EditSurface } from '../../workflow/receipts.ts';
import type { DocumentKind } from '../../workflow/rows.ts';
import type { Status } from '../../workflow/workflow.ts';

/** The format in which a document is written. `jsonl`: one JSON value a line; a JSON array is read, too. */
export type DocumentFormat = 'yaml' | 'json' | 'jsonl';

/** The place of something in a document: keys and places in lists, from the top. */
export type Path = readonly (string | number)[];

/** A part of a document that has an id and can be referred to. */
export interface Item {
  readonly kind: 'epic' | 'story' | 'bead' | 'question' | 'step' | 'check';
  readonly id: string;
  readonly title: string;
  readonly path: Path;
  readonly children: readonly Item[];
}

/** A place where an id is named that belongs to another part. `from`: the id of the part it stands in. */
export interface Reference {
  readonly id: string;
  readonly from: string;
  readonly field: string;
  readonly path: Path;
}

/** The problems of a document that can be read. `{name}` is filled in; `{reason}` is the schema's. */
export const problemTexts = {
  schema: '{reason}',
  contradiction: '{reason}',
  missing: '“{key}” is missing.',
  empty: 'The document is empty.',
  duplicateId: 'The id {id} is used more than once.',
  unknownBead: 'No bead {id} exists. Known: {known}.',
  unknownQuestion: 'No question {id} exists. Known: {known}.',
  selfBlocked: '{id} is blocked by itself.',
  unanswered: '{id} isn’t blocked by {from}.',
  circle: 'Dependency cycle: {path}.',
  noAcceptance: '{id} has no acceptance criteria.',
  unproved: '{id} has no test commands, and no reason why in unprovedReason.',
  wrongTicket: 'The ticket is {ticket}.',
} as const;

/** A problem at one place of a document. */
export interface Problem {
  readonly code: keyof typeof problemTexts;
  readonly args: Readonly<Record<string, string>>;
  readonly severity: 'error' | 'warning';
  readonly path: Path;
}

/** A person's edit of a document: the decoded value and how it was made. `at` is an ISO text. */
export interface Edit {
  readonly value: unknown;
  readonly surface: EditSurface;
  readonly ticket: string;
  readonly at: string;
}

/** A sentence for people, which views translate. `{0}`, `{1}` … are filled in from `args`. */
export interface Summary {
  readonly text: string;
  readonly args: readonly (string | number)[];
}

/**
 * One kind of document: an artifact that people read and decide on. Everything that differs between kinds is
 * here, and `documents.ts` has one object for each. What needs a model or the store is in `phases/`, in the
 * table of gate documents. `T`: the document as a value.
 */
export interface Document<T> {
  /** Its artifact type, and its name on every wire. */
  readonly kind: DocumentKind;
  /** The name that people use for it, for example "Setup plan". */
  readonly title: string;
  /** It as the subject of a sentence: "The setup plan". */
  readonly subject: string;
  /** Its name in the editor, below the ticket. */
  readonly file: string;
  readonly format: DocumentFormat;
  /** Its path in `.ticket/`, if it is projected; `{flow}` stands for the plan's flow. */
  readonly projection?: string;
  /** The schema of a version that a person writes. */
  readonly schema: z.ZodType;
  /** Set where the current version is rows of the store, and the artifact keeps what was written of them. */
  readonly rows?: {
    /** The hash that an approval guards; elsewhere it is that of the stored text. */
    hash(document: T): string;
    /** The text that people read and edit. */
    shown(document: T): string;
  };
  /** Set where a council drafts it. `refined`: the artifact with the winner's changes of its own draft. */
  readonly council?: {
    /** In sentences: "a valid …". */
    readonly draft: string;
    readonly refined: string;
    /** The artifact with the answers that the winner started from, before `:` and the winner. */
    readonly answers?: string;
  };
  /** Set where a person approves it. */
  readonly approval?: Approval<T>;
  /** The treatment of a repeated id: the engine replaces it (`warning`) or refuses the document. */
  readonly repeatedIds: 'error' | 'warning';
  /** The parts with an id. A document that is still being written has those that can be read. */
  readonly items: (value: unknown) => readonly Item[];
  /** The places where ids of other parts are named; `unknown` says that there is no such part. */
  readonly references?: {
    readonly unknown: Problem['code'];
    readonly of: (value: unknown) => readonly Reference[];
  };
  /** Returns the problems besides schema, ids and references. */
  readonly problems?: (
    value: unknown,
    items: readonly Item[],
    references: readonly Reference[],
  ) => readonly Problem[];
  /** The sentences that `summary` uses, for those who translate them. */
  readonly summaries: readonly string[];
  /** Returns its subject in a line; undefined when the value can't be read. */
  readonly summary: (value: unknown) => Summary | undefined;
}

/** The editing and approval of a document. Its gate is the row of the workflow table that names it. */
export interface Approval<T> {
  /** The status that a later edit goes back to; null: none can be (docs/decisions/014-edits-rewind.md). */
  readonly rewindsTo: Status | null;
  /** The warning about what an edit after the approval archives, in the question before saving. */
  readonly rewindWarning?: string;
  /** The warning about what drafting it again does, beyond keeping this version as an earlier one. */
  readonly regenerates?: string;
  /** Checks an edit against the current version, if any. Answers a new draft, or where and why it fails. */
  edited(edit: Edit, present: T | undefined): Settled<T, string>;
  /** The schema of what a page sends with the surface `answers`, in place of the whole document. */
  readonly answers?: z.ZodType;
  /** The document with the stamp of its approval. `at` is an ISO text. */
  approved(document: T, at: string): T;
  /** Gaps that the document shows itself, beside those that the newest coverage report says are open. */
  gaps?(document: T): readonly string[];
}
