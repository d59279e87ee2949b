import { sha256 } from '../base/sha256.ts';
import type { PromptPart, PromptPlan } from '../domain/usage/promptPlan.ts';
import { LastChanges } from './lastChanges.ts';

/** An earlier prompt, as far as it says when its parts changed. `at`: milliseconds since 1970. */
interface EarlierPrompt {
  readonly at: number;
  readonly plan: Pick<PromptPlan, 'parts'>;
}

/**
 * The parts by their last change, oldest first, then by name (docs/decisions/040-prompt-order-and-budget.md).
 * `earlier`: all prompts of the ticket, oldest first. An unknown part is the youngest.
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
