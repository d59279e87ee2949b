/** The ids that occur more than once, as the reason why a document is no use; undefined when there are none. */
export function repeatedIds(where: string, ids: readonly string[]): string | undefined {
  const repeated = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
  return repeated.length === 0 ? undefined : `${where}: the id ${repeated.join(', ')} is used more than once.`;
}
