/** The label of a draft at a place, from 0, and its heading: its member is unknown to voters. */
export function draftLabel(place: number): string {
  return `Draft ${place + 1}`;
}

/** The place of the draft that a label names, from 0: `Draft 2`, `draft_2`, or its bare number. */
export function draftPlace(label: string | number): number | undefined {
  const number = /^\s*(?:draft[\s_-]*)?(\d{1,3})\s*$/i.exec(String(label))?.[1];
  return number === undefined || Number(number) === 0 ? undefined : Number(number) - 1;
}

/** A text whose labels of drafts are replaced by `nameAt` of their places, where that has a name. */
export function renamed(text: string, nameAt: (place: number) => string | undefined): string {
  return text.replace(
    /\bdraft[\s_-]?(\d{1,3})\b/gi,
    (label, number: string) => nameAt(Number(number) - 1) ?? label,
  );
}
