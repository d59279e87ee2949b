import { promptUse } from '../../../context/promptInventory.ts';
import { byLastChange } from '../../../context/recency.ts';
import { inStableOrder } from '../../../context/stableOrder.ts';
import type { PromptPart, ToolPolicy } from '../../../domain/usage/promptPlan.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { say } from '../ticket/artifacts.ts';
import type { QuestionFrame } from '../structured/askTypes.ts';
import { parsePromptFile } from '../../../context/promptFile.ts';
import { seedSequence } from '../../../context/seedOrder.ts';
import { sectionAllowed, sectionRow } from '../../../context/sections.ts';
import type { ContextKey } from '../../../domain/workflow/contextKeys.ts';

interface Unordered {
  readonly parts: readonly PromptPart[];
  /** The run that asks: what it sent itself doesn't change the order of sessions side by side. */
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
  const demotedIn = (some: readonly Pick<PromptPart, 'name' | 'demoted'>[]): readonly string[] =>
    some.filter(({ demoted }) => demoted === true).map(({ name }) => name);
  const known = new Set(earlier.flatMap(({ plan }) => demotedIn(plan.parts)));
  for (const name of demotedIn(ordered).filter((one) => !known.has(one)))
    say(io, `${name} changes often, so it now stands one class later in the prompt ${prompt}.`);
  return ordered;
}

/** More tokens than this between the rules and the end of a prompt dilute them. */
const farTokens = 20_000;

interface DigestFrame {
  readonly key: ContextKey;
  readonly policy: ToolPolicy;
  /** True if the prompt has its preamble first, and the task behind it. */
  readonly seed: boolean;
  /** Estimated tokens that all parts together may take. */
  readonly room: number;
}

/**
 * A long prompt's last part: its tool policy's rules in short, from `rules` of the agent's prompt file
 * (docs/decisions/151-rules-are-repeated-in-long-prompts.md). None behind 20,000 tokens or less, where it
 * doesn't fit, or without rules within the section's cap.
 */
export async function rulesDigest(
  io: StepIo,
  frame: DigestFrame,
  parts: readonly PromptPart[],
): Promise<readonly PromptPart[]> {
  const between = frame.seed ? seedSequence(parts).after : parts;
  if (sum(between) <= farTokens || !sectionAllowed('rules_digest', frame.key)) return [];
  const agent = `agent-${frame.policy.replaceAll('_', '-')}`;
  const { rules } = parsePromptFile(agent, (await io.ports.prompts.read(agent)).text);
  if (rules === undefined) return [];
  const { stability, cap } = sectionRow('rules_digest');
  const tokens = await io.ports.tokens.count(rules);
  if (tokens > cap || sum(parts) + tokens > frame.room) return [];
  return [{ name: 'rules_digest', kind: 'section', stability, content: rules, tokens }];
}

function sum(parts: readonly PromptPart[]): number {
  return parts.reduce((total, part) => total + part.tokens, 0);
}
