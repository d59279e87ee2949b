/** A text from outside as an item of a list: `$(name)` in it isn't shown as an icon, which would make it look like ours. */
export function plainLabel(text: string): string {
  return text.replaceAll('$(', '$\u200B(');
}
