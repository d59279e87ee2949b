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
