import type * as z from 'zod';
import type { AnswersFile } from '../../domain/answersFile.ts';

/** The recorded answers of the sample ticket's interview, with one question skipped. */
export const sampleAnswers: z.input<typeof AnswersFile> = [
  { match: 'Q01', select: 'Spreadsheet' },
  { match: 'Which filters', select: ['category', 'shelf', 'quantity'], text: 'All of them may be combined.' },
  { match: 'Q03', skip: true, reason: 'Whatever is usual; we have no opinion.' },
  { match: 'filter that does not exist', select: 'An error that names it' },
  { match: 'QFF1', text: 'Suppliers choose the names, and some begin with = or -. Opening the file must never run anything.' },
  { match: '*', text: 'Choose the simplest thing that serves the ticket.' },
];
