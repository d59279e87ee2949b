/** Bytes for people: `340 B`, `1.2 MB`. */
export function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const step = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${step === 0 ? String(bytes) : (bytes / 1_000 ** step).toFixed(1)} ${units[step] ?? ''}`;
}
