import { checkClaims } from '../../../domain/findings/checkClaims.ts';
import { type ChangedText } from '../../../domain/proof/changedText.ts';
import { findWeakenings } from '../../../domain/proof/testIntegrity.ts';
import { readLongOutput } from '../../../domain/proof/failureExcerpt.ts';
import { readingAt } from './readings.ts';

interface WeakeningInput {
  readonly changes: readonly ChangedText[];
  readonly programs: readonly string[];
  readonly named: readonly string[];
}

/** The readers of strangers' long texts in a thread of their own, by name: functions of plain data. */
export const readers = {
  answer: readingAt,
  weakenings: ({ changes, programs, named }: WeakeningInput) => findWeakenings(changes, programs, named),
  tests: readLongOutput,
  claims: checkClaims,
} as const;

export type Reader = keyof typeof readers;
export type InputOf<R extends Reader> = Parameters<(typeof readers)[R]>[0];
export type ReadBy<R extends Reader> = ReturnType<(typeof readers)[R]>;

/** Reads in the thread that calls it. */
export function readHere<R extends Reader>(reader: R, input: InputOf<R>): ReadBy<R> {
  const read = readers[reader] as (input: InputOf<R>) => ReadBy<R>;
  return read(input);
}
