/** An anonymous draft's label at a place, from 0. */
export function draftLabel(place: number): string {
  return `Draft ${place + 1}`;
}

/** A label's place, from 0: of `Draft 2`, `draft_2`, or a bare number. */
export function draftPlace(label: string | number): number | undefined {
  const number = /^\s*(?:draft[\s_-]*)?(\d{1,3})\s*$/i.exec(String(label))?.[1];
  return number === undefined || Number(number) === 0 ? undefined : Number(number) - 1;
}

/** A text with draft labels replaced by `nameAt`, where that has a name. */
export function renamed(text: string, nameAt: (place: number) => string | undefined): string {
  return text.replace(
    /\bdraft[\s_-]?(\d{1,3})\b/gi,
    (label, number: string) => nameAt(Number(number) - 1) ?? label,
  );
}
