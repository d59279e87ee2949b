import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sha256 } from '../../../src/base/sha256.ts';
import { allowlists, slicesOf } from '../../../src/context/allowlists.ts';
import { partRow } from '../../../src/context/partRow.ts';
import { personaText } from '../../../src/context/personaFile.ts';
import { planPrompt } from '../../../src/context/planPrompt.ts';
import type { PromptFile } from '../../../src/context/promptFile.ts';
import { readPlanned } from '../../../src/context/replayPrompt.ts';
import { type RecordedCall, replayPrompt, type TodaysPrompts } from '../../../src/context/replayPrompt.ts';
import { type SectionName, sectionAllowed, sectionNames } from '../../../src/context/sections.ts';
import type { ContextKey } from '../../../src/domain/workflow/contextKeys.ts';
import type { Persona } from '../../../src/domain/personas/persona.ts';
import type { PromptPart } from '../../../src/domain/usage/promptPlan.ts';

const fileOf = (name: string, body: string, changes: Partial<PromptFile> = {}): PromptFile => ({
  name,
  about: 'x',
  inputs: [],
  budget: 1_000_000,
  policy: 'read_only',
  output: 'x',
  body:
    ['continue', 'shorter-answer', 'preamble'].includes(name) || name.startsWith('agent-')
      ? body
      : `# Beadsmith task: ${name}\n\n${body}`,
  ...changes,
});
const shipped = [
  fileOf('prd-draft', 'Write a PRD.'),
  fileOf('coding', 'Code it.', { policy: 'default' }),
  fileOf('coding-continue', 'It isn’t done yet.', { policy: 'default' }),
  fileOf('structured-repair', '{{problem}}\n\nSend it again.\n\n{{output}}', {
    inputs: ['problem', 'output'],
    policy: 'disabled',
  }),
  fileOf('review', 'Review it.'),
  fileOf('qa-checklist', 'Ask of everything. '.repeat(300).trim()),
  fileOf('continue', 'continue please'),
  fileOf('shorter-answer', 'Answer in fewer words.'),
  fileOf('preamble', 'You work in a loop.'),
  fileOf('agent-read-only', 'You read.', { rules: 'Change nothing.' }),
  fileOf('agent-default', 'You code.', { rules: 'Ask nobody.' }),
];
const bob: Persona = {
  id: 'bob',
  name: 'Bob',
  title: 'developer',
  icon: '',
  focus: 'Code.',
  style: 'Terse.',
  text: 'Look twice.',
};

const today = (...changed: readonly PromptFile[]): TodaysPrompts => ({
  file: (name) => Promise.resolve([...changed, ...shipped].find((file) => file.name === name)),
  personas: () => Promise.resolve([bob]),
  count: (text) => Promise.resolve(Math.ceil(text.length / 4)),
});
const part = (name: string, content: string, changes: Partial<PromptPart> = {}): PromptPart => ({
  name,
  kind: sectionNames.some((section) => section === name) ? 'section' : 'slice',
  stability: partRow(name)?.stability ?? 3,
  content,
  tokens: Math.ceil(content.length / 4),
  ...changes,
});

interface Sent {
  readonly key?: ContextKey;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly seed?: boolean;
  readonly recency?: boolean;
  readonly reductions?: RecordedCall['plan']['reductions'];
}

function recorded(name: string, parts: readonly PromptPart[], sent: Sent = {}): RecordedCall {
  const file = shipped.find((one) => one.name === name);
  assert.ok(file);
  const { key = 'prd_draft', inputs = {}, seed = false, recency = false, reductions = [] } = sent;
  const { plan, stable, text } = planPrompt({
    key,
    file,
    inputs,
    parts,
    reductions,
    tokens: 100,
    budget: 100_000,
    model: 'p/m',
    asOrdered: recency,
    seedOrder: seed ? { ticket: 'TST-1', bead: 'greet' } : undefined,
  });
  const input = stable === '' ? text : `${stable}\n\n${text}`;
  return {
    ticket: 'TST-1',
    bead: 'greet',
    plan,
    input,
    promptOrder: recency ? 'recency' : seed ? 'seed' : 'stable',
  };
}

const draft = [
  part('ticket_details', 'TST-1: Greet'),
  part('full_answers', 'By name.'),
  part('user_note', 'Short, please.'),
];
const inCode = [
  part('workspace', '/w'),
  part('bead_data', 'greet'),
  part('bead_notes', 'It failed.'),
  part('report_nonce', 'n1'),
];
const inLoop = [...inCode, part('iteration', 'Pass 1.')];
inLoop.splice(1, 0, part('change_proposal', 'All of it.'), part('preamble', 'You work in a loop.'));
const reasonsOf = async (call: RecordedCall, prompts = today()): Promise<readonly string[]> => {
  const { verdict, reasons } = await replayPrompt(call, prompts);
  return [verdict, ...reasons.map(({ kind, part: about }) => (about === null ? kind : `${kind} ${about}`))];
};

describe('a recorded call with the prompts of today', () => {
  it('differs in its instructions where its last line is another one, and in its order where parts were framed otherwise', async () => {
    const call = recorded('coding', inCode, { key: 'coding' });
    const closed = fileOf('coding', 'Code it.', { policy: 'default', begins: ['<DEV_RECORD>'] });
    assert.deepEqual(await reasonsOf(call, today(closed)), ['differs', 'instructions']);
    const before = {
      ...call,
      input: call.input
        .replace(/\n\nDo this task now\. Your answer: x\.$/, '')
        .replace('> n1', '```\nn1\n```'),
    };
    assert.deepEqual(await reasonsOf(before), ['differs', 'instructions', 'order']);
  });

  it('is the same while nothing changed', async () => {
    const long = [
      part('ticket_details', 'x'.repeat(8_000)),
      part('full_answers', '```\n## user_note\n```'),
      part('user_note', 'Short.'),
    ];
    const calls = [
      recorded('prd-draft', []),
      recorded('prd-draft', draft),
      recorded('prd-draft', long),
      recorded('prd-draft', [part('ticket_details', 'x'.repeat(8_000))]),
      recorded('coding', inCode, { key: 'coding' }),
      recorded('qa-checklist', [part('user_context', 'Be kind.')], { key: 'qa_checklist' }),
      recorded('qa-checklist', [], { key: 'qa_checklist' }),
    ];
    assert.deepEqual(
      calls.map(({ plan }) => plan.ahead),
      [undefined, undefined, 2, 1, undefined, 0, 0],
    );
    for (const call of calls) {
      assert.deepEqual(await reasonsOf(call), ['same']);
      assert.equal((await replayPrompt(call, today())).today, call.input);
    }
  });

  it('is the same in the orders of loops, and by last change', async () => {
    assert.deepEqual(await reasonsOf(recorded('coding', inLoop, { key: 'coding', seed: true })), ['same']);
    assert.deepEqual(
      await reasonsOf(recorded('coding', inCode.toReversed(), { key: 'coding', recency: true })),
      ['same'],
    );
    const long = [part('report_nonce', 'n1'), part('bead_data', 'x'.repeat(8_000))];
    assert.deepEqual(await reasonsOf(recorded('coding', long, { key: 'coding', recency: true })), ['same']);
  });

  it('is the same where it continues a session, was cut off, or was interrupted', async () => {
    const repaired = { problem: 'No {{output}}.', output: 'Send it again.\n## prd\n{{problem}}' };
    const main = recorded('prd-draft', draft);
    const calls = [
      recorded('coding-continue', [part('failing_evidence', 'exit 1')], { key: 'coding' }),
      recorded('structured-repair', [], { inputs: repaired }),
      { ...main, input: `${main.input}\n\nAnswer in fewer words.` },
      { ...main, input: 'continue please' },
      recorded('continue', []),
    ];
    for (const call of calls) assert.deepEqual(await reasonsOf(call), ['same'], call.input);
  });

  it('is the same after it has lost a part to the budget, as it was sent', async () => {
    const reductions = [
      { name: 'full_answers', action: 'shrunk', tokensBefore: 9_000, tokensAfter: 500 } as const,
    ];
    assert.deepEqual(await reasonsOf(recorded('prd-draft', draft, { reductions })), ['same']);
  });

  it('differs where its file has other instructions, and keeps the values of holes', async () => {
    const own = fileOf('prd-draft', 'Write it in verse.');
    const call = recorded('prd-draft', draft);
    assert.deepEqual(await reasonsOf(call, today(own)), ['differs', 'instructions']);
    assert.deepEqual(
      (await replayPrompt(call, today(own))).today,
      call.input.replace('Write a PRD.', 'Write it in verse.'),
    );
    assert.deepEqual(await reasonsOf(recorded('prd-draft', []), today(own)), ['differs', 'instructions']);
    const again = fileOf('structured-repair', 'Once more: {{problem}}, {{output}}', {
      inputs: ['problem', 'output'],
    });
    const repair = recorded('structured-repair', [], { inputs: { problem: 'No.', output: 'x' } });
    const replayed = await replayPrompt(repair, today(again));
    assert.deepEqual(
      [replayed.verdict, replayed.today?.includes('{{problem}}, {{output}}')],
      ['differs', true],
    );
  });

  it('differs where what it had is no longer allowed, over its cap, or over the budget', async () => {
    const call = recorded('prd-draft', [
      ...draft.slice(0, 2),
      part('votes', 'One.'),
      ...draft.slice(2),
      part('unheard_of', 'x'),
    ]);
    assert.deepEqual(await reasonsOf(call), ['differs', 'not-allowed votes', 'not-allowed unheard_of']);
    assert.equal((await replayPrompt(call, today())).today, recorded('prd-draft', draft).input);
    const long = recorded('prd-draft', [part('lens', 'Look. '.repeat(200))]);
    const shrunk = await replayPrompt(long, today());
    assert.deepEqual(
      [shrunk.reasons, (shrunk.today ?? '').includes('characters left out')],
      [[{ kind: 'over-cap', part: 'lens' }], true],
    );
    const pinned = recorded('prd-draft', [part('lens', 'Look. '.repeat(200), { pinned: true })]);
    assert.deepEqual(await reasonsOf(pinned), ['same'], 'a person wanted it whole');
    const frugal = fileOf('prd-draft', 'Write a PRD.', { budget: 40 });
    assert.deepEqual(
      await reasonsOf(
        recorded('prd-draft', [part('prd', 'x'.repeat(400))], { key: 'prd_coverage' }),
        today(frugal),
      ),
      ['differs', 'over-cap'],
    );
  });

  it('differs where a heading, the class of a part, or what stands between parts is another one', async () => {
    const call = recorded('prd-draft', draft);
    const before = {
      ...call,
      input: call.input.replace('From the user', 'By the user').replace("The user's note.", 'A note.'),
    };
    assert.deepEqual(await reasonsOf(before), ['differs', 'order']);
    assert.equal((await replayPrompt(before, today())).today, call.input);
    const elsewhere = recorded('prd-draft', [
      part('user_note', 'Short.', { stability: 0 }),
      part('full_answers', 'By name.'),
    ]);
    assert.deepEqual(await reasonsOf(elsewhere), ['differs', 'order']);
    const behind = recorded('prd-draft', [part('user_note', 'Short.'), part('user_context', 'Be kind.')]);
    assert.deepEqual(await reasonsOf(behind), ['differs', 'order']);
    const loop = recorded('coding', inLoop, { key: 'coding', seed: true });
    assert.deepEqual(
      await reasonsOf({ ...loop, input: loop.input.replace('## Module (greet)', '## Bead (greet)') }),
      ['differs', 'order'],
    );
  });

  it('differs where it may do something else, or is gone', async () => {
    assert.deepEqual(
      await reasonsOf(
        recorded('prd-draft', draft),
        today(fileOf('prd-draft', 'Write a PRD.', { policy: 'disabled' })),
      ),
      ['differs', 'policy'],
    );
    const call = recorded('prd-draft', draft);
    assert.deepEqual(await reasonsOf({ ...call, plan: { ...call.plan, prompt: 'prd-poem' } }), [
      'differs',
      'prompt-gone',
    ]);
    assert.deepEqual(await reasonsOf({ ...call, plan: { ...call.plan, contextKey: 'prd_poem' } }), [
      'differs',
      'prompt-gone',
    ]);
  });

  it('differs where a part is written from a file that changed', async () => {
    const rules = recorded('prd-draft', [...draft, part('rules_digest', 'Change nothing.')]);
    const loop = recorded('coding', inLoop, { key: 'coding', seed: true });
    const review = recorded('review', [part('bead_data', 'greet'), part('persona', personaText([bob]))], {
      key: 'review',
    });
    const solo = recorded('review', [part('persona', personaText([bob, bob]))], { key: 'review' });
    for (const call of [rules, loop, review, solo]) assert.deepEqual(await reasonsOf(call), ['same']);
    const agent = fileOf('agent-read-only', 'You read.');
    assert.deepEqual(await reasonsOf(rules, today(agent)), ['differs', 'instructions rules_digest']);
    assert.equal((await replayPrompt(rules, today(agent))).today, recorded('prd-draft', draft).input);
    assert.deepEqual(await reasonsOf(loop, today(fileOf('preamble', 'You walk in circles.'))), [
      'differs',
      'instructions preamble',
    ]);
    const other = { ...today(), personas: () => Promise.resolve([{ ...bob, focus: 'Tests.' }]) };
    assert.deepEqual(await reasonsOf(review, other), ['differs', 'instructions persona']);
    assert.ok((await replayPrompt(review, other)).today?.includes('Your focus: Tests.'));
    assert.deepEqual(await reasonsOf(solo, { ...other, personas: () => Promise.resolve([]) }), [
      'differs',
      'instructions persona',
    ]);
  });

  it('can’t be told where secrets were taken out of what is kept, or something else is kept', async () => {
    const call = recorded('prd-draft', [...draft, part('user_context', 'The key is ghp_x.')]);
    const gapOf = async (input: string) => (await replayPrompt({ ...call, input }, today())).gap;
    assert.equal(await gapOf(call.input.replace('ghp_x', '(redacted github)')), 'secrets');
    assert.equal(await gapOf(''), 'no-text');
    assert.equal(await gapOf('go on'), 'other-text');
    assert.equal(await gapOf(call.input.replace('By name.', 'By number.')), 'other-text');
  });

  it('reads what any plan wrote, and writes the same bytes again', async () => {
    const keys = Object.keys(allowlists).filter((key) => key !== 'capability_probe') as ContextKey[];
    const bits = fc.constantFrom(
      '`',
      '``````',
      '\n',
      '\n\n---\n\n',
      '## prd\nThe PRD.\n\n```\n',
      '# Beadsmith task: coding',
      'x',
      '{{all}}',
    );
    const content = fc.array(bits, { minLength: 1, maxLength: 12 }).map((some) => some.join(''));
    const any = fc.record({
      key: fc.constantFrom(...keys),
      name: fc.constantFrom('prd-draft', 'coding', 'coding-continue'),
      contents: fc.array(content, { minLength: 70, maxLength: 70 }),
      kept: fc.array(fc.boolean(), { minLength: 70, maxLength: 70 }),
      isLong: fc.boolean(),
      seed: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(any, async ({ key, name, contents, kept, isLong, seed }) => {
        const written: readonly SectionName[] = ['preamble', 'rules_digest', 'persona'];
        const names = [
          ...slicesOf(key),
          ...sectionNames.filter((one) => sectionAllowed(one, key) && !written.includes(one)),
        ];
        const parts = names
          .filter((_name, index) => kept[index])
          .map((one, index) =>
            part(one, contents[index] ?? 'x', {
              tokens: isLong && !sectionNames.includes(one as SectionName) ? 2_000 : 1,
            }),
          )
          .toSorted((one, other) => rank(one) - rank(other));
        const call = recorded(name, parts, { key, seed: seed && name === 'coding' });
        const read = readPlanned(call.input, call.plan);
        assert.ok(typeof read !== 'string');
        assert.deepEqual(
          new Map(read.parts.map((one) => [one.name, one.content])),
          new Map(parts.map((one) => [one.name, one.content])),
        );
        assert.equal(sha256(read.instructions), call.plan.instructions?.sha256);
        assert.deepEqual(await reasonsOf(call), ['same']);
      }),
    );
  });
});

function rank({ name, stability }: PromptPart): number {
  return name === 'ticket_details' ? -1 : stability;
}
