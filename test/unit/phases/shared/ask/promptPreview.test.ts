import assert from 'node:assert/strict';
import { engineSource } from '../../../../../src/domain/ticket/agentRequest.ts';
import { type PhaseWorld, phaseWorlds } from '../../../../support/engine/phaseWorld.ts';
import { askIn, askSideBySide, colourCall } from '../../../../support/engine/colourCall.ts';
import { until } from '../../../../support/until.ts';

describe('a prompt that waits for a person', () => {
  const make = phaseWorlds();
  let world: PhaseWorld;
  const put = async (): Promise<string | undefined> => (await askIn(world, colourCall))?.value.colour;
  const request = () => until(async () => (await world.ticket()).hold?.request, 'the request');
  const decide = async (...choices: string[]): Promise<void> => {
    await world.post('question_reply', { request: (await request()).id, answers: [choices] });
  };
  const sent = (): string => world.agent.calls.map(({ whole }) => whole).join('\n');

  beforeEach(async () => {
    world = await make('SCANNING_RELEVANT_FILES', { previewPrompts: 'all' });
    world.agent.answer = () => 'colour: red';
    await world.put('user_context', 'Paint it black.');
  });

  it('is shown whole, with its parts, and is sent as it is once they say so', async () => {
    const asking = put();
    const { source, content } = await request();
    assert.equal(source, engineSource);
    assert.ok(content.kind === 'question');
    const [asked] = content.questions;
    assert.ok(asked);
    const { text, options } = asked;
    assert.match(text, /- user_context: \d+ tokens, new with each attempt/);
    assert.match(text, /The whole text:[^]*Paint it black\./);
    const labels = options.map(({ label }) => label);
    assert.ok(
      labels.includes('Leave out user_context') && !labels.includes('Leave out ticket_details'),
      'a call makes no sense without the ticket',
    );
    assert.equal(world.agent.calls.length, 0, 'nothing is sent before');
    await decide('Send');
    assert.equal(await asking, 'red');
    assert.ok(sent().includes('Paint it black.'));
  });

  it('is sent without the parts that they leave out, which its plan and a receipt say', async () => {
    const asking = put();
    await decide('Leave out user_context');
    assert.equal(await asking, 'red');
    assert.ok(!sent().includes('Paint it black.'));
    const [call] = await world.store.calls('TST-1');
    assert.deepEqual(
      call?.plan.reductions.map(({ name, action, tokensAfter }) => [name, action, tokensAfter]),
      [['user_context', 'excluded', 0]],
    );
    assert.equal(
      call.plan.tokens,
      call.plan.parts.reduce((sum, { tokens }) => sum + tokens, 0) + (call.plan.instructions?.tokens ?? 0),
    );
    const [decision] = (await world.json('prompt_preview_receipt'))?.['decisions'] as readonly Record<
      string,
      unknown
    >[];
    assert.deepEqual(decision?.['left_out'], ['user_context']);
  });

  for (const answer of [['Stop'], ['Send', 'Stop'], ['Yes, please'], []])
    it(`is not sent when they answer ${JSON.stringify(answer)}, and is asked about again when the ticket continues`, async () => {
      const asking = put();
      await decide(...answer);
      await assert.rejects(asking, { code: 'PROMPT_STOPPED' });
      assert.equal(world.agent.calls.length, 0);
      await world.post('continue', {});
      const again = put();
      await decide('Send');
      assert.equal(await again, 'red');
    });

  it('is decided for each member of a council in turn, and a stop is for all of them', async () => {
    const members = ['demo/main', 'demo/second', 'demo/third'];
    const council = () => askSideBySide(world, colourCall, members);
    const driving = council();
    await decide('Stop');
    await assert.rejects(driving, { code: 'PROMPT_STOPPED' });
    assert.equal(world.agent.calls.length, 0);
    await world.post('continue', {});
    const again = council();
    for (let sentTo = 0; sentTo < members.length; sentTo++) {
      await until(
        async () => world.agent.calls.length >= sentTo && (await world.ticket()).hold?.request !== undefined,
        'the next one asks',
      );
      await decide('Send');
      await until(() => world.agent.calls.length > sentTo, 'it is sent');
    }
    await again;
  });

  it('is decided once, also when the process dies between the decision and the answer', async () => {
    void put().catch(() => undefined);
    await request();
    world.killAt = 'colour';
    await decide('Leave out user_context');
    await until(async () => (await world.json('prompt_preview_receipt')) !== undefined, 'it is decided');
    world.crash();
    assert.equal(await put(), 'red');
    assert.equal(world.agent.calls.length, 1);
    assert.ok(!sent().includes('Paint it black.'));
  });

  it('is not asked about where only coding prompts are', async () => {
    world = await make('SCANNING_RELEVANT_FILES', { previewPrompts: 'coding' });
    world.agent.answer = () => 'colour: red';
    assert.equal(await put(), 'red');
  });
});
