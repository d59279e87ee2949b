/** Names divided by commas: the first `most`, and how many more there are. */
export function namesText(names: readonly string[], most: number): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

/** List items of the first `most`, and how many more there are. */
export function listLines<T>(items: readonly T[], most: number, textOf: (item: T) => string): string[] {
  const lines = items.slice(0, most).map((item) => `- ${textOf(item)}`);
  return items.length > most ? [...lines, `- and ${items.length - most} more`] : lines;
}
