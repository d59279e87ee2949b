import { sha256 } from '../base/sha256.ts';
import type { PromptPart, PromptPlan } from '../domain/usage/promptPlan.ts';

interface EarlierPrompt {
  readonly at: number;
  readonly plan: Pick<PromptPlan, 'parts'>;
}

/**
 * Parts by last change, oldest first, then by name (docs/decisions/040-prompt-order-and-budget.md).
 * `earlier`: oldest first, in milliseconds since 1970. Unknown parts are the youngest.
 */
export function byLastChange(
  parts: readonly PromptPart[],
  earlier: readonly EarlierPrompt[],
): readonly PromptPart[] {
  const changes = new LastChanges();
  for (const { at, plan } of earlier) for (const part of plan.parts) changes.note(part.name, part.sha256, at);
  const changedAt = new Map(
    parts.map(({ name, content }) => [
      name,
      changes.since(name, sha256(content)) ?? Number.POSITIVE_INFINITY,
    ]),
  );
  const timeOf = ({ name }: PromptPart): number => changedAt.get(name) ?? Number.POSITIVE_INFINITY;
  return parts.toSorted((one, other) =>
    timeOf(one) === timeOf(other) ? (one.name < other.name ? -1 : 1) : timeOf(one) < timeOf(other) ? -1 : 1,
  );
}

/**
 * Times at which prompt parts last changed (docs/decisions/154-order-by-last-change.md), from prompts in
 * sending order; a text that came back counts from then.
 */
export class LastChanges {
  readonly #seen = new Map<string, { readonly sha256: string; readonly at: number }>();

  /** Returns the time since when the part has this content. */
  note(key: string, sha256: string, at: number): number {
    const since = this.since(key, sha256) ?? at;
    this.#seen.set(key, { sha256, at: since });
    return since;
  }

  /** Undefined if the part had another content last, or none yet. */
  since(key: string, sha256: string): number | undefined {
    const known = this.#seen.get(key);
    return known?.sha256 === sha256 ? known.at : undefined;
  }
}

/** Counts changes over all beads if the part is fixed for the ticket. */
export function changeKey(
  part: { readonly kind: string; readonly name: string; readonly stability: number | null },
  bead: string | null,
): string {
  return `${part.kind} ${part.name} ${part.stability === 0 ? '' : (bead ?? '')}`;
}
