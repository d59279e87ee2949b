import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PromptFiles } from '../../../src/adapters/files/promptFiles.ts';
import { GptTokens } from '../../../src/adapters/tokens/gptTokens.ts';
import { locations } from '../../../src/app/locations.ts';
import { buildMinimalContext, defaultTokenBudget } from '../../../src/context/buildMinimalContext.ts';
import { ContextCache } from '../../../src/context/contextCache.ts';
import { planPrompt } from '../../../src/context/planPrompt.ts';
import { parsePromptFile } from '../../../src/context/promptFile.ts';
import { type EarlierPrompt, inStableOrder } from '../../../src/context/stableOrder.ts';
import type { PromptPart } from '../../../src/domain/usage/promptPlan.ts';
import type { ContextState } from '../../../src/context/contextState.ts';
import type { Measure } from '../measurement.ts';
import { sideBySide, timeOf } from '../sideBySide.ts';
import { emptyContextState } from '../../support/samples.ts';

const key = 'beads_draft';
const mostEarlier = 60;

/**
 * A bead draft whose context fills the budget of 100,000 tokens. Cold: nothing cached, ÷ the tokenizer over
 * the same content. Warm: milliseconds with every part cached, the fastest of three.
 */
export const measureAssembly: Measure = async ({ samples }) => {
  const tokens = new GptTokens();
  const count = (text: string): Promise<number> => tokens.count(text);
  const { text } = await new PromptFiles(fileURLToPath(locations.prompts)).read('beads-draft');
  const file = parsePromptFile('beads-draft', text);
  const state = await fullState(count);
  const contents = [
    `${state.ticketId}: ${state.title}\n\n${state.description}`,
    state.relevantFiles,
    state.prd,
  ];
  let size = 0;
  let earlier: readonly EarlierPrompt[] = [];

  const assemble = async (cache: ContextCache): Promise<void> => {
    const {
      parts,
      reductions,
      tokens: sum,
    } = await buildMinimalContext(key, state, { budget: defaultTokenBudget, count, cache });
    const hashOf = (part: PromptPart): string => cache.hashOf(state.ticketId, part.name, part.content);
    const ordered = inStableOrder(parts, { earlier, hashOf });
    const rest = { reductions, tokens: sum, budget: defaultTokenBudget, model: 'a/b', hashOf };
    const { plan } = planPrompt({ key, file, inputs: {}, parts: ordered, ...rest });
    earlier = [...earlier, { run: String(earlier.length), bead: null, plan }].slice(-mostEarlier);
    if (plan.parts.length !== contents.length || reductions.length > 0)
      throw new Error('The context of the benchmark is not what it should be.');
    size = plan.tokens;
  };
  const bare = async (): Promise<void> => {
    for (const content of contents) await count(content);
  };
  const cold = await sideBySide(
    { run: () => assemble(new ContextCache()) },
    { run: bare },
    { samples, rounds: 3 },
  );

  const known = new ContextCache();
  await assemble(known);
  const warm: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const rounds = [
      await timeOf({ run: () => assemble(known) }),
      await timeOf({ run: () => assemble(known) }),
    ];
    warm.push(Math.min(...rounds, await timeOf({ run: () => assemble(known) })));
  }

  const best = `${Math.min(...cold.aMs).toFixed(0)} ms, the tokenizer alone ${Math.min(...cold.bMs).toFixed(0)} ms`;
  return [
    {
      name: 'assembly.cold',
      unit: 'x',
      bound: { atMost: 1.2 },
      samples: cold.ratios,
      notes: [`${String(size)} tokens in ${best}, at best`],
    },
    { name: 'assembly.warm', unit: 'ms', bound: { atMost: 5 }, samples: warm },
  ];
};

/** 99,000 tokens of this project's own sources, half as relevant files and half as the PRD. */
async function fullState(count: (text: string) => Promise<number>): Promise<ContextState> {
  const source = fileURLToPath(new URL('../../../src/', import.meta.url));
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const text = names
    .toSorted()
    .map((name) => readFileSync(join(source, name), 'utf8'))
    .join('\n');
  const probe = text.slice(0, 300_000);
  const length = Math.floor((probe.length * 99_000) / (await count(probe)));
  const parts = { relevantFiles: text.slice(0, length / 2), prd: text.slice(length / 2, length) };
  const spare = {
    ...emptyContextState,
    ticketId: 'ABC-1',
    title: 'Report as CSV',
    description: 'Reports can be exported.',
    ...parts,
  };
  // What is over the budget is cut off.
  const over = (await count(spare.relevantFiles)) + (await count(spare.prd)) - 99_500;
  return over <= 0 ? spare : { ...spare, prd: spare.prd.slice(0, -over * 5) };
}
