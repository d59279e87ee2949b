import type * as z from 'zod';
import type { AnswersFile } from '../../domain/ticket/answersFile.ts';

export const sampleTicket = {
  title: 'Add CSV export with filters to the report module',
  description: `The purchasing team copies our text report into a spreadsheet by hand every Monday. They want a CSV file they can open at once,
and they want to leave out what doesn't concern them.

What we need:

- A report can be filtered by category, by shelf, and by what runs low (at most a given quantity). Filters can be combined.
- A report can be written as CSV with the same columns as the text table. Names with commas and quotes must come out right
  (see "Wood glue, 250 ml" and the two-inch tape in the sample data).
- The command line offers both: \`stockroom report FILE --csv --category fasteners\`.

The text report must stay exactly as it is when no option is given. No new dependencies, please.
`,
  priority: 2,
};

export const secondTicket = { title: 'List low stock first', depth: 'quick' } as const;

export const sampleAnswers: z.input<typeof AnswersFile> = [
  { match: 'Q01', select: 'Spreadsheet' },
  { match: 'Which filters', select: ['category', 'shelf', 'quantity'], text: 'All of them may be combined.' },
  { match: 'Q03', skip: true, reason: 'Whatever is usual; we have no opinion.' },
  { match: 'filter that does not exist', select: 'An error that names it' },
  {
    match: 'QFF1',
    text: 'Suppliers choose the names, and some begin with = or -. Opening the file must never run anything.',
  },
  { match: '*', text: 'Choose the simplest thing that serves the ticket.' },
];
