import assert from 'node:assert/strict';
import { GptTokens } from '../../../../src/adapters/tokens/gptTokens.ts';
import { cpuMs } from '../../../support/cpuMs.ts';

describe('counting tokens', () => {
  const tokens = new GptTokens();

  it('AT-8: counts as the tokenizer of the vocabulary does', async () => {
    assert.equal(await tokens.count(''), 0);
    assert.equal(await tokens.count('hello world'), 2);
    // A word of a model's own is text like any other, and no error.
    assert.ok((await tokens.count('<|endoftext|> <|im_start|>')) > 2);
  });

  it('counts a long text like its parts', async () => {
    const line = 'export const answer = compute(40, 2); // a line of code, and a remark\n';
    const one = await tokens.count(line);
    const many = await tokens.count(line.repeat(2_000));
    assert.ok(Math.abs(many - one * 2_000) < 40, `${many} is far from ${one * 2_000}`);
  });

  it('does not take seconds for a text without any break', async () => {
    for (const unit of ['a', ' ', '\n', '=', '1', '😀', '漢', 'e\u0301']) {
      const text = unit.repeat(1_000_000 / unit.length);
      const start = cpuMs();
      assert.ok((await tokens.count(text)) > 1_000);
      assert.ok(cpuMs() - start < 1_500, `${JSON.stringify(unit)} took ${Math.round(cpuMs() - start)} ms`);
    }
  });

  it('lets others work meanwhile', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await tokens.count('const x = 1; '.repeat(40_000));
    clearInterval(timer);
    assert.ok(turns > 0);
  });
});
