import { parsePromptFile } from '../../../context/promptFile.ts';
import { seedSequence } from '../../../context/seedOrder.ts';
import { sectionAllowed, sectionRow } from '../../../context/sections.ts';
import type { ContextKey } from '../../../domain/workflow/contextKeys.ts';
import type { PromptPart, ToolPolicy } from '../../../domain/usage/promptPlan.ts';
import type { StepIo } from '../../../engine/run/run.ts';

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
 * The last part of a long prompt: the rules of its tool policy in short, from `rules` of the agent's prompt
 * file. None where 20,000 tokens or less stand between the instructions and the end, where it doesn't fit, or
 * where the file has no rules or longer ones than the section's cap
 * (docs/decisions/151-rules-are-repeated-in-long-prompts.md).
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
