/** The parts that say something, as one text. */
export function joined(parts: readonly string[], by = ' · '): string {
  return parts.filter((part) => part !== '').join(by);
}
