import { promptUse } from '../../../context/promptInventory.ts';
import { byLastChange } from '../../../context/recency.ts';
import { inStableOrder } from '../../../context/stableOrder.ts';
import type { PromptPart } from '../../../domain/usage/promptPlan.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import type { QuestionFrame } from '../structured/askTypes.ts';

interface Unordered {
  readonly parts: readonly PromptPart[];
  /**
   * The run that asks: what it sent itself doesn't change the order, so that sessions side by side have the
   * same one.
   */
  readonly runId: string;
  readonly hashOf: (part: PromptPart) => string;
}

/**
 * The parts of a prompt as its question orders them (docs/decisions/040-prompt-order-and-budget.md,
 * docs/decisions/154-order-by-last-change.md). What is demoted for the first time is said in the log. `seed`
 * is an order of the text, not of the parts.
 */
export async function orderedParts(
  io: StepIo,
  question: QuestionFrame,
  unordered: Unordered,
): Promise<readonly PromptPart[]> {
  const { parts, runId, hashOf } = unordered;
  const { order = 'stable', prompt, session, bead } = question;
  if (order === 'recency') {
    const calls = await io.ports.store.plannedCalls(io.ticket);
    return byLastChange(
      parts,
      calls.map(({ startedAt, plan }) => ({ at: startedAt, plan })),
    );
  }
  // What follows in a session follows all that was said in it, whatever its order.
  if (order === 'seed' || session || promptUse(prompt).session !== 'fresh' || parts.length < 2) return parts;
  const earlier = await io.ports.store.earlierPlans(io.ticket, prompt, runId);
  const ordered = inStableOrder(parts, { earlier, bead: bead?.id, hashOf });
  const known = new Set(
    earlier.flatMap(({ plan }) =>
      plan.parts.filter(({ demoted }) => demoted === true).map(({ name }) => name),
    ),
  );
  for (const { name } of ordered
    .filter(({ demoted }) => demoted === true)
    .filter((part) => !known.has(part.name))) {
    const text = `${name} changes often, so it now stands one class later in the prompt ${prompt}.`;
    io.ports.events.emit({
      type: 'activity',
      ticket: io.ticket,
      at: io.ports.clock.now(),
      source: 'engine',
      kind: 'info',
      text,
    });
  }
  return ordered;
}
