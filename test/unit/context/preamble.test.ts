import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GptTokens } from '../../../src/adapters/tokens/gptTokens.ts';
import { buildMinimalContext } from '../../../src/context/buildMinimalContext.ts';
import { type PlannedPrompt, planPrompt } from '../../../src/context/planPrompt.ts';
import { iterationText } from '../../../src/context/preamble.ts';
import { parsePromptFile } from '../../../src/context/promptFile.ts';
import { overrideProblem, isOverridable } from '../../../src/context/promptOverride.ts';
import type { Section } from '../../../src/context/sections.ts';
import { emptyContextState } from '../../support/samples.ts';

const promptText = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../prompts', `${name}.md`), 'utf8');
const file = (name: string) => parsePromptFile(name, promptText(name));
const preamble = file('preamble').body;

const state = {
  ...emptyContextState,
  ticketId: 'ABC-1',
  title: 'Greet people',
  beadData: 'id: greet\ntitle: Greet by name',
};

interface Call {
  readonly pass: number;
  readonly context?: string;
  readonly order?: 'seed' | 'stable';
}

async function planned({ pass, context = '', order = 'stable' }: Call): Promise<PlannedPrompt> {
  const sections: readonly Section[] = [
    { name: 'repository_rules', content: 'Two spaces.' },
    { name: 'workspace', content: 'npm test' },
    { name: 'preamble', content: preamble },
    ...(order === 'seed' ? [{ name: 'change_proposal', content: 'ABC-1: Greet people' } as const] : []),
    { name: 'iteration', content: iterationText({ pass, min: 2, max: 5 }) },
    { name: 'report_nonce', content: `n${String(pass).repeat(15)}` },
    { name: 'user_context', content: context },
  ];
  const { parts } = await buildMinimalContext('coding', state, {
    sections,
    budget: 100_000,
    count: (text) => Math.ceil(text.length / 4),
  });
  const seedOrder = order === 'seed' ? { ticket: 'ABC-1', bead: 'greet' } : undefined;
  const common = {
    key: 'coding',
    file: file('coding'),
    inputs: {},
    reductions: [],
    tokens: 1,
    budget: 1,
    model: 'p/m',
  } as const;
  return planPrompt({ ...common, parts, seedOrder });
}

async function prompt(call: Call): Promise<string> {
  const { stable, text } = await planned(call);
  return stable === '' ? text : `${stable}\n${text}`;
}

describe('the preamble of a loop', () => {
  it('AT-26: says which pass it is, for each maximum and minimum, and nothing where there is no loop', () => {
    assert.equal(iterationText(undefined), '');
    for (const pass of [1, 3, 5]) {
      for (const max of [undefined, 0, 7]) {
        for (const min of [undefined, 1, 3]) {
          const text = iterationText({ pass, max, min });
          const limit = max === 7 ? ' of at most 7' : ', without an upper limit';
          assert.equal(text, `Pass ${String(pass)}${limit}${min === 3 ? ', and of at least 3' : ''}.`);
        }
      }
    }
    assert.match(iterationText({ pass: 2, max: 3, min: 3 }), /^Pass 2 of exactly 3\.$/);
    const all = {
      pass: 2,
      max: 3,
      iteration: { number: 1, of: 5 },
      left: ['9 minutes', '10 tokens'],
      last: 'The checks failed.',
      promise: 'DONE',
    };
    assert.match(
      iterationText(all),
      /Iteration 1 of 5[^]*\nLeft: 9 minutes, 10 tokens\.\nThe last pass: The checks failed\.\n.*<promise>DONE<\/promise>/,
    );
  });

  it('AT-26: has a section for the context of the user only where there is some, and no empty heading', async () => {
    for (const order of ['stable', 'seed'] as const) {
      for (const context of ['', '  \n ', 'Use brevity.']) {
        const text = await prompt({ pass: 1, context, order });
        assert.equal(text.includes('## user_context'), context === 'Use brevity.', `${order} "${context}"`);
        assert.equal(text.includes('Additional Context'), order === 'seed' && context === 'Use brevity.');
        assert.doesNotMatch(text, /```\n\s*```/);
      }
    }
  });

  it('AT-26: takes 500 tokens at most, with its changing part', async () => {
    const most = {
      pass: 100,
      min: 99,
      max: 100,
      iteration: { number: 19, of: 20 },
      left: ['60 minutes of this iteration', '1000000 tokens of the ticket'],
    };
    const changing = iterationText({
      ...most,
      last: 'It reported that the bead is done, but the checks failed.',
      promise: 'COMPLETE',
    });
    const tokens = await new GptTokens().count(`${preamble}\n\n${changing}`);
    assert.ok(tokens <= 500, `${String(tokens)} tokens`);
  });

  it('has a plan that lists parts and instructions in the order in which they are sent', async () => {
    for (const order of ['stable', 'seed'] as const) {
      const { plan } = await planned({ pass: 2, context: 'Use brevity.', order });
      const text = await prompt({ pass: 2, context: 'Use brevity.', order });
      const { at = 0 } = plan.instructions ?? {};
      const names = plan.parts.map(({ name }) => text.indexOf(`\n## ${name}\n`));
      const places = [...names.slice(0, at), text.indexOf('# Beadsmith task: coding'), ...names.slice(at)];
      assert.deepEqual(
        places.slice(1),
        places.slice(1).toSorted((one, other) => one - other),
        order,
      );
    }
  });

  it('can be replaced by a file of the person', () => {
    assert.ok(isOverridable('preamble'));
    assert.equal(
      overrideProblem(file('preamble'), promptText('preamble').replace('Work on your own', 'Work alone')),
      undefined,
    );
  });

  it('AT-27: comes first in seed order, and everything else in its place with --- between', async () => {
    const text = await prompt({ pass: 2, context: 'Use brevity.', order: 'seed' });
    const sections = text.split('\n\n---\n\n');
    assert.deepEqual(
      sections.map((section) => section.split('\n')[0]),
      [
        '## preamble',
        '## Additional Context (added by user mid-loop)',
        '## Change Proposal (ABC-1)',
        '## Module (greet)',
        '# Beadsmith task: coding',
      ],
    );
    assert.match(sections[0] ?? '', /todo[^]*## iteration\n[^]*Pass 2 of at most 5/);
    assert.match(sections[3] ?? '', /title: Greet by name/);
    const without = (await prompt({ pass: 2, order: 'seed' })).split('\n\n---\n\n');
    assert.equal(without.length, 4);
  });

  it('AT-27: leaves at least 90 % of a prompt as they were from one pass to the next in stable order', async () => {
    const [first, second] = [await prompt({ pass: 1 }), await prompt({ pass: 2, context: 'Use brevity.' })];
    let same = 0;
    while (same < first.length && first[same] === second[same]) same += 1;
    assert.ok(same / first.length >= 0.9, `${String(same)} of ${String(first.length)}`);
  });
});
