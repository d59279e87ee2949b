/**
 * Since when the parts of prompts are as they are (docs/decisions/154-order-by-last-change.md). A text that
 * came back counts from then. Give prompts in the order of sending; in milliseconds since 1970.
 */
export class LastChanges {
  readonly #seen = new Map<string, { readonly sha256: string; readonly at: number }>();

  /** Notes that the part `key` was sent with this content, and answers since when it is. */
  note(key: string, sha256: string, at: number): number {
    const since = this.since(key, sha256) ?? at;
    this.#seen.set(key, { sha256, at: since });
    return since;
  }

  /** Since when the part is as it is; undefined if it had another content last, or none yet. */
  since(key: string, sha256: string): number | undefined {
    const known = this.#seen.get(key);
    return known?.sha256 === sha256 ? known.at : undefined;
  }
}

/** The part whose changes are counted together: over all beads if it is fixed for the ticket. */
export function changeKey(
  part: { readonly kind: string; readonly name: string; readonly stability: number | null },
  bead: string | null,
): string {
  return `${part.kind} ${part.name} ${part.stability === 0 ? '' : (bead ?? '')}`;
}
