import assert from 'node:assert/strict';
import { GptTokens } from '../../../src/adapters/tokens/gptTokens.ts';
import { readPrompt } from '../../../src/demo/script/promptParts.ts';
import { ending, promptOf } from '../../support/cliTicket.ts';
import { holds, type LoopByCli, loopsByCli, loopTicket, report, write } from '../../support/loopTicket.ts';
import { until } from '../../support/until.ts';

const wish = 'Use brevity.';
const context = 'Additional Context (added by user mid-loop)';

/** Read from the requests of the real OpenCode. */
describe('the preamble on the command line', function () {
  this.timeout(600_000);
  const makeLoop = loopsByCli();

  /** While the first pass works a person adds context, so that it starts again with it. */
  async function prompts(
    loop: LoopByCli,
    ...words: readonly string[]
  ): Promise<readonly [plain: string, first: string, second: string]> {
    const { ticket } = loop;
    const coded = (content: string) => ({ calls: [write('greet.txt', content)], text: report() });
    ticket.script({
      coding: [
        {
          when: { part: 'added_context', lacks: wish },
          calls: [holds(ticket.folder, 'first')],
          text: report(),
        },
        { when: { part: 'iteration', has: 'Pass 2' }, ...coded('hello again\n') },
        coded('hello\n'),
      ],
    });
    const driver = loop.begin('--min', '2', '--max', '3', ...words);
    await until(() => loop.firsts.length > 0 || driver.child.exitCode !== null, 'the first pass works');
    assert.equal((await ticket.cli('context', 'add', loopTicket, wish, '--now', '--no-wait')).code, 0);
    ending(0, await driver.ended);
    await loop.letGo('first');
    assert.deepEqual(await loop.passes(), ['1 claimed_early null', '2 passed validated_complete']);
    const [plain, first, second, ...more] = loop.firsts.map(promptOf);
    assert.ok(plain !== undefined && first !== undefined && second !== undefined && more.length === 0);
    return [plain, first, second];
  }

  it('AT-26, AT-27: says where the loop stands in 500 tokens, has a section for context only where there is some, and comes first', async () => {
    const tokens = new GptTokens();
    const [plain, first, second] = await prompts(
      await makeLoop(),
      '--prompt-order',
      'seed',
      '--token-cap',
      '900000',
    );
    const said = [
      /^Pass 1 of at most 3, and of at least 2\. Iteration 1 of 5 of this bead\.\nLeft: 20 minutes of this iteration, 8\d{5} tokens of the ticket\.$/,
      /^Pass 1 of at most 3, and of at least 2\. Iteration 2 of 5/,
      /^Pass 2 of at most 3, and of at least 2\. Iteration 2 of 5[^]*\nThe last pass: It reported that the bead is done, and the checks passed/,
    ];
    for (const [index, text] of [plain, first, second].entries()) {
      const { parts } = readPrompt(text);
      for (const [name, content] of parts) assert.notEqual(content.trim(), '', name);
      const [preamble = '', iteration = ''] = [parts.get('preamble'), parts.get('iteration')];
      assert.match(iteration, said[index] ?? /^$/);
      assert.match(preamble, /Don't wait for an answer[^]*todo list[^]*Completion:/);
      assert.ok((await tokens.count(`${preamble}\n\n${iteration}`)) <= 500);
      assert.equal(text.includes(`## ${context}`), index > 0);
      assert.equal(parts.get('added_context')?.endsWith(`] ${wish}`), index > 0 ? true : undefined);
      const heads = text.split('\n\n---\n\n').map((section) => section.split('\n')[0]);
      const loaded = index > 0 ? [`## ${context}`] : [];
      assert.deepEqual(heads, [
        '## preamble',
        ...loaded,
        '## Change Proposal (SAMPL-1)',
        '## Module (loop)',
        '# Beadsmith task: coding',
      ]);
    }
  });

  it('AT-27: leaves 90 % of the bytes of a message as they were in stable order, when the pass or the context changes', async () => {
    const [plain, first, second] = (await prompts(await makeLoop())).map((text) => Buffer.from(text));
    assert.ok(plain && first && second);
    for (const [one, other] of [
      [first, second],
      [plain, first],
    ] as const) {
      const same = one.findIndex((byte, index) => other[index] !== byte);
      assert.ok(same / one.length >= 0.9, `${String(same)} of ${String(one.length)}`);
    }
  });

  it('AT-26: is not there without passes: the plain task, and no word of a loop', async () => {
    const loop = await makeLoop({
      tasks: { coding: [{ calls: [write('greet.txt', 'hello\n')], text: report() }] },
    });
    ending(0, await loop.run('--max', '1'));
    const [only, ...more] = loop.firsts.map(promptOf);
    assert.ok(only !== undefined && more.length === 0);
    const { task, parts } = readPrompt(only);
    assert.equal(task, 'coding');
    for (const name of ['preamble', 'iteration', 'pass_report', 'added_context'])
      assert.ok(!parts.has(name), name);
    assert.doesNotMatch(only, /Pass 1|loop of passes|Additional Context/);
    assert.deepEqual(await loop.passes(), []);
  });
});
