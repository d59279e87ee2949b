/**
 * A table whose columns are as wide as their widest cell. `figures`: the numbers of columns that are set to
 * the right.
 */
export function tableText(rows: readonly (readonly string[])[], figures: readonly number[]): string {
  const columns = Math.max(0, ...rows.map((cells) => cells.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const set = (cell: string, column: number): string =>
    figures.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((cells) => cells.map(set).join('  ').trimEnd()).join('\n');
}
