import type * as z from 'zod';
import type { Settled } from '../../../base/result.ts';
import type { ApprovalReceipt, EditSurface } from '../../workflow/receipts.ts';
import type { ActionName } from '../../workflow/actions.ts';
import type { DocumentKind } from '../../workflow/rows.ts';
import type { limitsOf } from '../../settings/limits.ts';
import type { Status } from '../../workflow/workflow.ts';

/** A document's format. `jsonl`: a JSON value per line; an array is read, too. */
export type DocumentFormat = 'yaml' | 'json' | 'jsonl';

/** Keys and list places, from the top. */
export type Path = readonly (string | number)[];

/** A part of a document that can be referred to by id. */
export interface Item {
  readonly kind: 'epic' | 'story' | 'bead' | 'question' | 'step' | 'check';
  readonly id: string;
  readonly title: string;
  readonly path: Path;
  readonly children: readonly Item[];
}

/** A mention of another part's id. `from`: the id of the part around it. */
export interface Reference {
  readonly id: string;
  readonly from: string;
  readonly field: string;
  readonly path: Path;
}

/** Problems of readable documents. `{reason}` is the schema's. */
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

/** A person's decoded edit. `at`: ISO text. */
export interface Edit {
  readonly value: unknown;
  readonly surface: EditSurface;
  readonly ticket: string;
  readonly at: string;
}

/** A sentence that views translate. `args` fill in `{0}`, `{1}` …. */
export interface Summary {
  readonly text: string;
  readonly args: readonly (string | number)[];
}

/**
 * A kind of document that people read and decide on: everything that differs between kinds, one object each
 * in `documents.ts`. Model and store work is in `phases/`. `T`: its value.
 */
export interface Document<T> {
  /** Artifact type, and name on every wire. */
  readonly kind: DocumentKind;
  readonly title: string;
  readonly subject: string;
  readonly file: string;
  readonly format: DocumentFormat;
  /** The path in `.ticket/`, if projected; `{flow}`: the plan's flow. */
  readonly projection?: string;
  readonly schema: z.ZodType;
  /** The current version is in rows of the store; the artifact keeps what was written. */
  readonly rows?: {
    /** Of an approval; elsewhere the stored text's hash. */
    hash(document: T): string;
  };
  /** Drafted by a council. `refined`: the artifact with the winner's changes of its draft. */
  readonly council?: {
    readonly draft: string;
    readonly refined: string;
    /** The artifact with the winner's basis of answers, before `:` and the winner. */
    readonly answers?: string;
  };
  readonly approval?: Approval<T>;
  readonly ungated?: Ungated;
  /** A repeated id is replaced, not refused. */
  readonly repeatedIds?: 'warning';
  /** Of an unfinished document, those that can be read. */
  readonly items?: (value: unknown) => readonly Item[];
  /** `unknown`: the problem of a missing part. */
  readonly references?: {
    readonly unknown: Problem['code'];
    readonly of: (value: unknown) => readonly Reference[];
  };
  readonly problems?: (
    value: unknown,
    items: readonly Item[],
    references: readonly Reference[],
  ) => readonly Problem[];
  /** Of one that is approved: all possible texts, and what is shown of it then. */
  readonly summaries?: readonly string[];
  readonly summary?: (value: unknown) => Summary | undefined;
}

/** A document's editing outside of gates, wherever the ticket has the action. */
export interface Ungated {
  readonly action: ActionName;
  /** Its versions are the document's history. */
  readonly artifact: string;
  /** Of a version of the artifact; with the ticket: the present text. Undefined if there is none. */
  text(stored: string | undefined, ticket?: Parameters<typeof limitsOf>[0]): string | undefined;
}

/** The stamp in an approved document. `approved_at`: ISO text. */
export type ApprovalStamp = Pick<ApprovalReceipt, 'approved_by' | 'approved_at'>;

/** A document's editing and approval, at the gate of its workflow row. */
export interface Approval<T> {
  /** The status after a later edit; null: none (docs/decisions/014-edits-rewind.md). */
  readonly rewindsTo: Status | null;
  readonly rewindWarning?: string;
  /** Effects of drafting again beyond a new version. */
  readonly regenerates?: string;
  /** A new draft, or where and why the edit fails. */
  edited(edit: Edit, present: T | undefined): Settled<T, string>;
  /** Sent by the surface `answers` instead of a document. */
  readonly answers?: z.ZodType;
  approved(document: T, stamp: ApprovalStamp): T;
  /** Its own gaps, besides those of the coverage report. */
  gaps?(document: T): readonly string[];
}
