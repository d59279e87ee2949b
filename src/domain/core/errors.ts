import * as z from 'zod';
import { errorTexts } from './errorTexts.ts';

/** An error's code; see docs/decisions/044-error-codes.md. */
export type ErrorCode = keyof typeof errorTexts;

/** Values for an error's placeholders. */
export type ErrorArgs = Readonly<Record<string, string | number>>;

/** For errors that were stored before they had these placeholders. */
const ofTicket = { whose: 'The ticket' };
const olderArgs: { readonly [C in ErrorCode]?: ErrorArgs } = {
  BEAD_RETRY_BUDGET_EXHAUSTED: { reason: '' },
  BUDGET_EXHAUSTED: ofTicket,
  COST_CAP_REACHED: ofTicket,
  TIME_CAP_REACHED: ofTicket,
};

const ErrorCodeName = z.custom<ErrorCode>(
  (value) => typeof value === 'string' && Object.hasOwn(errorTexts, value),
  'That is no error code.',
);

/** An error with a code. `continuable`: its session can be continued. */
export class BeadsmithError extends Error {
  override readonly name = 'BeadsmithError';
  readonly code: ErrorCode;
  readonly args: ErrorArgs;
  readonly continuable: boolean;
  readonly diagnostics: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    args: ErrorArgs = {},
    options: { continuable?: boolean; diagnostics?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    const complete = { ...olderArgs[code], ...args };
    super(sentenceOf(code, complete), { cause: options.cause });
    this.code = code;
    this.args = complete;
    this.continuable = options.continuable ?? false;
    this.diagnostics = options.diagnostics ?? {};
  }

  get nextStep(): string {
    return nextStepOf(this.code, this.args);
  }
}

/** The failed work is repeated later. */
const passingErrors: readonly ErrorCode[] = ['DISK_FULL', 'DATABASE_IO', 'DATABASE_BUSY'];

/** True if an error of the database passes by itself. */
export function passes(error: unknown): boolean {
  return error instanceof BeadsmithError && passingErrors.includes(error.code);
}

/** True if this process has to open the repository again. */
export function isLoss(error: unknown): boolean {
  return error instanceof BeadsmithError && ['EPOCH_LOST', 'DATABASE_LOST'].includes(error.code);
}

/**
 * True if this process can't use the database: nothing is recorded as failed because of it. Damage isn't one
 * of these errors: it concerns what is damaged.
 */
export function isStoreError(error: unknown): boolean {
  return (
    passes(error) || isLoss(error) || (error instanceof BeadsmithError && error.code === 'DATABASE_READ_ONLY')
  );
}

/** An error as stored. */
export const ErrorRecord = z.object({
  code: ErrorCodeName,
  args: z.record(z.string(), z.union([z.string(), z.number()])),
  continuable: z.boolean(),
  diagnostics: z.record(z.string(), z.unknown()).default({}),
});
export type ErrorRecord = z.infer<typeof ErrorRecord>;

/** The sentence of an error. */
export function sentenceOf(code: ErrorCode, args: ErrorArgs): string {
  return filled(errorTexts[code][0], args).trim();
}

/** `advice` is help against exactly this cause. */
function nextStepOf(code: ErrorCode, args: ErrorArgs): string {
  if (typeof args['advice'] === 'string') return args['advice'];
  return filled(errorTexts[code][1], args);
}

/** Any thrown value as an error with a code, by default UNEXPECTED. */
export function toBeadsmithError(error: unknown): BeadsmithError {
  if (error instanceof BeadsmithError) return error;
  if (error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code)))
    return new BeadsmithError('DISK_FULL', {}, { cause: error });
  return new BeadsmithError(
    'UNEXPECTED',
    { reason: error instanceof Error ? error.message : String(error) },
    { cause: error },
  );
}

/** An error as stored, without stack and cause. */
export function errorRecord(error: BeadsmithError): ErrorRecord {
  return {
    code: error.code,
    args: { ...error.args },
    continuable: error.continuable,
    diagnostics: { ...error.diagnostics },
  };
}

/** The error of a record. */
export function fromRecord(record: ErrorRecord): BeadsmithError {
  return new BeadsmithError(record.code, record.args, {
    continuable: record.continuable,
    diagnostics: record.diagnostics,
  });
}

/** Says a text of a table, with its holes filled in; views translate it. */
export type Words = (text: string, args: ErrorArgs) => string;

/** A text with its `{name}` holes filled in; holes without a value stay. */
export function filled(text: string, args: ErrorArgs): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) =>
    args[name] === undefined ? hole : String(args[name]),
  );
}

/** The error for unusable input. */
export function invalidInput(what: string, reason: string): BeadsmithError {
  return new BeadsmithError('INVALID_INPUT', { what, reason });
}
