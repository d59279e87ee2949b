import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GptTokens } from '../../../../../src/adapters/tokens/gptTokens.ts';
import { parsePromptFile } from '../../../../../src/context/promptFile.ts';
import { ToolPolicy } from '../../../../../src/domain/usage/promptPlan.ts';
import { askIn, colourCall } from '../../../../support/engine/colourCall.ts';
import { type PhaseWorld, phaseWorlds } from '../../../../support/engine/phaseWorld.ts';

const prompts = join(import.meta.dirname, '../../../../../prompts');

describe('the rules at the end of a long prompt', () => {
  const worlds = phaseWorlds();
  let world: PhaseWorld;
  const sentWith = async (tokens: number): Promise<string> => {
    world = await worlds('SCANNING_RELEVANT_FILES');
    world.agent.answer = () => 'colour: red';
    await askIn(world, { ...colourCall, state: { relevantFiles: 'four'.repeat(tokens) } });
    return world.agent.calls.at(-1)?.text ?? '';
  };

  it('repeats the rules of the tool policy as the last part', async () => {
    const text = await sentWith(21_000);
    const { rules } = parsePromptFile(
      'agent-read-only',
      readFileSync(join(prompts, 'agent-read-only.md'), 'utf8'),
    );
    assert.ok(rules);
    assert.equal(text.split('\n\n').at(-2), `> ${rules}`);
    const [call] = await world.store.calls('TST-1');
    assert.equal(call?.plan.parts.at(-1)?.name, 'rules_digest');
    const parts = call.plan.parts.reduce((sum, part) => sum + part.tokens, 0);
    assert.equal(call.plan.tokens, parts + (call.plan.instructions?.tokens ?? 0));
  });

  it('leaves a prompt alone in which the rules are near', async () => {
    const text = await sentWith(15_000);
    assert.doesNotMatch(text, /rules_digest/);
    assert.doesNotMatch(text, /The rules above, in short/);
  });

  it('takes 150 tokens at most, whatever the tool policy', async () => {
    const counter = new GptTokens();
    for (const policy of ToolPolicy.options) {
      const name = `agent-${policy.replaceAll('_', '-')}`;
      const { rules } = parsePromptFile(name, readFileSync(join(prompts, `${name}.md`), 'utf8'));
      assert.ok(rules, name);
      const tokens = await counter.count(rules);
      assert.ok(tokens <= 150, `${name}: ${String(tokens)}`);
    }
  });
});
