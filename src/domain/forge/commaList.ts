/** More of a pull request are a slip. */
const mostNames = 20;

/** The names in a text with commas between, each once. */
export function commaList(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim().replace(/^@/, ''));
  return [...new Set(names.filter((name) => name !== ''))].slice(0, mostNames);
}
