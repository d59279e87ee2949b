/** A text with its places `{0}`, `{1}` filled in. */
export function fill(text: string, ...values: readonly (string | number)[]): string {
  return text.replace(/\{(\d+)\}/g, (hole, index: string) => String(values[Number(index)] ?? hole));
}
