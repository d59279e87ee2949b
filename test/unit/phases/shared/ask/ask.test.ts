import assert from 'node:assert/strict';
import { RunStopped } from '../../../../../src/engine/run/runScope.ts';
import type { Answer, Call } from '../../../../../src/phases/shared/structured/askTypes.ts';
import { endMark } from '../../../../../src/context/promptFile.ts';
import { die, hang, quota } from '../../../../support/models/fakeAgent.ts';
import { type PhaseWorld, phaseWorlds } from '../../../../support/engine/phaseWorld.ts';
import { askIn, colourCall } from '../../../../support/engine/colourCall.ts';
import { until } from '../../../../support/until.ts';
import { sampleUsage } from '../../../../support/samples.ts';

const usage = sampleUsage({ messageId: 'msg_cut' });
const cutOff = (text: string) =>
  ({ ok: true, text, messageId: 'msg_cut', usage, tools: [], truncated: true }) as const;

describe('ask', () => {
  const worlds = phaseWorlds();
  let world: PhaseWorld;
  const drive = async (
    over: Partial<Call<{ colour: string }>> = {},
  ): Promise<Answer<{ colour: string }> | 'killed'> =>
    (await askIn(world, { ...colourCall, ...over })) ?? 'killed';
  const put = async (over: Partial<Call<{ colour: string }>> = {}): Promise<Answer<{ colour: string }>> => {
    const answer = await drive(over);
    assert.ok(answer !== 'killed');
    return answer;
  };
  const goOn = (): Promise<string> => world.post('continue', {});
  const sessions = async (): Promise<string[]> =>
    (await world.store.sessions('TST-1')).map(({ id, state }) => `${id} ${state}`);
  const texts = (): string[] => world.agent.calls.map((call) => call.text);

  beforeEach(async () => (world = await worlds('SCANNING_RELEVANT_FILES')));

  it('answers a valid document, and records the call, its plan and its usage', async () => {
    world.agent.answer = () => 'colour: red';
    const answer = await put();
    assert.deepEqual(answer.value, { colour: 'red' });
    assert.equal(answer.session.prompts, 1);
    const [call] = await world.store.calls('TST-1');
    assert.equal(call?.outcome, 'accepted');
    assert.equal(call.plan.prompt, 'interview-draft');
    assert.match(call.input, /# Beadsmith task: interview-draft/);
    assert.match(call.input, /TST-1: Greet people/);
    assert.equal((await world.store.usage('TST-1')).length, 1);
    assert.deepEqual(await sessions(), ['ses_1 completed']);
    assert.ok(world.activity.includes('demo/main: thinking'));
  });

  it('asks nothing when it is replayed', async () => {
    world.agent.answer = () => 'colour: red';
    const first = await put();
    assert.deepEqual(await put(), first);
    assert.equal(world.agent.calls.length, 1);
  });

  it('repairs an unusable answer in the same session, naming the problem, then starts over in a fresh one, then gives up', async () => {
    world.agent.answer = (call) => (call.task === 'structured-repair' ? 'colour: blue' : 'color: 3');
    assert.deepEqual((await put()).value, { colour: 'blue' });
    assert.deepEqual(world.agent.tasks, ['interview-draft', 'structured-repair']);
    assert.match(texts()[1] ?? '', /colour: .*expected string/);
    assert.match(texts()[1] ?? '', /color: 3/);
    assert.equal(world.agent.sessions.size, 1);

    await world.enter('COUNCIL_DELIBERATING');
    world.agent.answer = () => 'no document at all';
    await assert.rejects(put(), { code: 'RESPONSE_INVALID', continuable: false });
    assert.deepEqual(
      (await world.store.calls('TST-1')).slice(2).map((call) => call.outcome),
      ['rejected', 'rejected', 'rejected', 'rejected'],
    );
    assert.deepEqual(
      world.agent.calls.slice(2).map(({ session, task }) => [session, task]),
      ['ses_2', 'ses_3'].flatMap((session) =>
        ['interview-draft', 'structured-repair'].map((task) => [session, task]),
      ),
    );
  });

  it('accepts what a fresh session answers where repairs were no use', async () => {
    world.agent.answer = (call) => (call.session === 'ses_1' ? 'no document at all' : 'colour: red');
    assert.deepEqual((await put()).value, { colour: 'red' });
    assert.deepEqual(world.agent.tasks, ['interview-draft', 'structured-repair', 'interview-draft']);
  });

  it('sends the same prompt to a fresh session when the answer is empty or cut off', async () => {
    for (const useless of [
      '',
      { kind: 'garbage', message: 'noise', statusCode: 200, continuable: false } as const,
    ]) {
      world = await worlds('SCANNING_RELEVANT_FILES');
      world.agent.answer = (call) => (call.session === 'ses_1' ? useless : 'colour: red');
      assert.deepEqual((await put()).value, { colour: 'red' });
      assert.deepEqual(world.agent.tasks, ['interview-draft', 'interview-draft']);
      assert.deepEqual([...world.agent.sessions.keys()], ['ses_1', 'ses_2']);
    }
  });

  it('asks for the rest of an answer that the provider cut off, and reads it as a whole', async () => {
    const cut = cutOff('colour: |\n  red and\n  wi');
    world.agent.answer = (call) => (call.task === 'answer-rest' ? `  wide\n${endMark}` : cut);
    assert.deepEqual((await put()).value, { colour: 'red and\nwide\n' });
    assert.match(texts()[1] ?? '', /cut off[^]*\n {2}red and\n[^]*begin with what follows/);
    assert.deepEqual([...world.agent.sessions.keys()], ['ses_1']);
  });

  it('never reads an answer that the provider cut off, however whole it looks, and asks a fresh session', async () => {
    const cut = cutOff(`colour: re ${endMark}`);
    world.agent.answer = (call) => (call.session === 'ses_1' ? cut : 'colour: red');
    assert.deepEqual((await put()).value, { colour: 'red' });
    assert.deepEqual([...world.agent.sessions.keys()], ['ses_1', 'ses_2']);
    const [first = '', second = ''] = texts();
    assert.equal(second.startsWith(first), true);
    assert.match(second.slice(first.length), /cut off.*in fewer words/);
    assert.equal((await world.store.calls('TST-1')).at(-1)?.input, second, 'the call shows what was sent');
  });

  it('asks a fresh session when the model refuses, and says so when that one refuses, too', async () => {
    const refusal = "I'm sorry, but I can't help with that.";
    world.agent.answer = (call) => (call.session === 'ses_1' ? refusal : 'colour: red');
    assert.deepEqual((await put()).value, { colour: 'red' });
    assert.deepEqual(world.agent.tasks, ['interview-draft', 'interview-draft']);
    await world.enter('COUNCIL_DELIBERATING');
    world.agent.answer = () => refusal;
    await assert.rejects(put(), { code: 'RESPONSE_INVALID', message: /refuses to answer: I'm sorry/ });
  });

  it('asks in fewer words for what was cut off in a session that it must keep', async () => {
    world.agent.answer = () => 'colour: red';
    const { session } = await put();
    await world.enter('COUNCIL_DELIBERATING');
    const cut = cutOff('colour: re');
    world.agent.answer = (call) => (call.task === 'structured-repair' ? 'colour: blue' : cut);
    assert.deepEqual((await put({ session })).value, { colour: 'blue' });
    assert.match(texts().at(-1) ?? '', /cut off.*fewer words/);
    assert.equal(world.agent.sessions.size, 1);
  });

  it('asks about a key that nobody knows, and accepts the document without it when the model sends it again', async () => {
    world.agent.answer = () => 'colour: red\nmood: It is a warm red.';
    assert.deepEqual((await put()).value, { colour: 'red' });
    assert.match(texts()[1] ?? '', /mood: there is no such key/);
    assert.match(
      (await world.store.calls('TST-1')).at(-1)?.error ?? '',
      /^unknown-key: mood: It is a warm red\./,
    );
  });

  it('keeps the repairs of an answer with its call', async () => {
    world.agent.answer = () => 'colour: `red` at all';
    assert.deepEqual((await put()).value, { colour: '`red` at all' });
    const [call] = await world.store.calls('TST-1');
    assert.deepEqual(
      [call?.outcome, call?.error],
      ['accepted', 'reserved-start: colour: `red` at all → colour: "`red` at all"'],
    );
  });

  it('never sends a prompt twice: a kill before the receipt finds the answer in the session', async () => {
    world.agent.answer = () => 'colour: red';
    world.killAt = 'colour';
    assert.equal(await drive(), 'killed');
    assert.deepEqual((await put()).value, { colour: 'red' });
    assert.equal(world.agent.calls.length, 1);
    assert.equal(world.agent.sessions.size, 1);
  });

  it('finds a session again that was made and never noted', async () => {
    world.agent.answer = () => 'colour: red';
    const create = world.agent.createSession.bind(world.agent);
    world.agent.createSession = async (options) => {
      world.agent.createSession = create;
      const session = await create(options);
      world.crash();
      return session;
    };
    assert.equal(await drive(), 'killed');
    assert.deepEqual((await put()).value, { colour: 'red' });
    assert.equal(world.agent.sessions.size, 1);
  });

  it('waits for an answer that is still being worked on after a restart', async () => {
    world.agent.answer = () => hang;
    const killed = drive();
    await until(() => world.agent.calls.length > 0, 'the model is asked');
    world.crash();
    const again = put();
    world.agent.finish('ses_1', 'colour: green');
    assert.deepEqual((await again).value, { colour: 'green' });
    assert.equal(world.agent.calls.length, 1);
    assert.equal(await killed, 'killed');
  });

  it('continues in the same session when only the server died, once a person says so', async () => {
    world.agent.answer = () => die;
    await assert.rejects(put(), { code: 'OPENCODE_GONE', continuable: true });
    world.agent.answer = () => 'colour: red';
    await goOn();
    assert.deepEqual([(await put()).session.id, texts()[1]], ['ses_1', 'continue please']);
  });

  it('asks a fresh session, after the caller cleaned up, when the process and the server died with the prompt', async () => {
    let cleaned = 0;
    world.agent.answer = () => {
      world.crash();
      return die;
    };
    assert.equal(await drive(), 'killed');
    world.agent.answer = () => 'colour: red';
    const answer = await put({
      beforeFreshSession: async () => {
        cleaned++;
      },
    });
    assert.deepEqual(answer.value, { colour: 'red' });
    assert.deepEqual([answer.session.id, cleaned], ['ses_2', 1]);
    assert.deepEqual(await sessions(), ['ses_1 abandoned', 'ses_2 completed']);
  });

  it('asks a fresh session when the previous process took the server down and the prompt with it', async () => {
    const aborted = { kind: 'aborted', message: 'aborted', statusCode: null, continuable: true } as const;
    world.agent.answer = () => {
      world.crash();
      return aborted;
    };
    assert.equal(await drive(), 'killed');
    world.agent.answer = () => 'colour: red';
    assert.deepEqual((await put()).session.id, 'ses_2');
  });

  describe('when a pause cuts a call off', () => {
    const pause = async (over: Partial<Call<{ colour: string }>> = {}): Promise<void> => {
      const asked = world.agent.calls.length;
      world.agent.answer = () => hang;
      const cut = put(over);
      await until(() => world.agent.calls.length > asked, 'the model is asked');
      await world.post('pause', {});
      await assert.rejects(cut, RunStopped);
      await world.post('resume', {});
      world.agent.answer = () => 'colour: red';
    };

    it('asks a fresh session once it continues, after the caller cleaned up', async () => {
      await pause();
      assert.deepEqual(world.agent.aborted, ['ses_1']);
      let cleaned = 0;
      const answer = await put({
        beforeFreshSession: async () => {
          cleaned++;
        },
      });
      assert.deepEqual([answer.session.id, answer.session.prompts, cleaned], ['ses_2', 1, 1]);
      assert.equal(world.agent.calls[1]?.whole, world.agent.calls[0]?.whole);
      assert.deepEqual(await sessions(), ['ses_1 abandoned', 'ses_2 completed']);
    });

    it('asks one fresh session after the other, and uses up no repair, however often it happens', async () => {
      for (let times = 1; times <= 3; times++) await pause();
      assert.equal((await put({ repairs: 0 })).session.id, 'ses_4');
    });

    it('continues in the session that the step was given', async () => {
      world.agent.answer = () => 'colour: blue';
      const { session } = await put();
      await pause({ key: 'second', session });
      const answer = await put({ key: 'second', session });
      assert.deepEqual(answer.session, { ...session, prompts: 3 });
      assert.equal(texts()[2], 'continue please');
      assert.equal(world.agent.sessions.size, 1);
    });

    it('books what the call had used up by then', async () => {
      await pause();
      const failure = { kind: 'aborted', message: 'cut off', statusCode: null, continuable: true } as const;
      world.agent.finish('ses_1', {
        ok: false,
        failure,
        partial: 'colo',
        usage: { ...usage, input: 7, output: 3 },
        tools: [],
      });
      await put();
      assert.equal(
        (await world.store.usage('TST-1')).find(({ messageId }) => messageId === 'msg_cut')?.input,
        7,
      );
      const calls = (await world.store.calls('TST-1')).map(({ session, outcome, output }) => [
        session,
        outcome,
        output,
      ]);
      assert.deepEqual(calls, [
        ['ses_1', 'failed', 'colo'],
        ['ses_2', 'accepted', `colour: red\n${endMark}`],
      ]);
    });

    it('takes an answer that was complete by then', async () => {
      await pause();
      world.agent.finish('ses_1', 'colour: green');
      assert.deepEqual((await put()).value, { colour: 'green' });
      assert.equal(world.agent.calls.length, 1);
    });
  });

  it('asks a fresh session when the prompt it waits for is aborted by another process', async () => {
    world.agent.answer = () => hang;
    const killed = drive();
    await until(() => world.agent.calls.length > 0, 'the model is asked');
    world.agent.answer = () => 'colour: red';
    world.crash();
    const again = put();
    await until(() => world.agent.awaited > 0, 'the answer is awaited again');
    world.agent.finish('ses_1', { kind: 'aborted', message: 'aborted', statusCode: null, continuable: true });
    assert.equal((await again).session.id, 'ses_2');
    assert.equal(await killed, 'killed');
  });

  it('interrupts on a provider failure and continues with exactly "continue please"', async () => {
    world.agent.answer = () => quota;
    await assert.rejects(put(), { code: 'PROVIDER_QUOTA', continuable: true });
    await goOn();
    world.agent.answer = () => 'colour: red';
    assert.deepEqual((await put()).value, { colour: 'red' });
    assert.equal(texts()[1], 'continue please');
    assert.equal(world.agent.sessions.size, 1);
  });

  it("fails a council member's step for good on a provider failure", async () => {
    world.agent.answer = () => quota;
    await assert.rejects(put({ onProviderFailure: 'fail' }), { code: 'PROVIDER_QUOTA', continuable: false });
    assert.equal(world.agent.calls.length, 1);
  });

  it('names the models there are when the asked one is unknown', async () => {
    world.agent.answer = () => ({
      kind: 'unknown_model',
      message: 'no',
      statusCode: 404,
      continuable: false,
    });
    await assert.rejects(put(), { code: 'MODEL_UNKNOWN', message: /demo\/main/ });
  });

  it('ends a call at its limit and stops the session', async () => {
    world.agent.answer = () => hang;
    const expires = assert.rejects(put(), { code: 'LIMIT_EXPIRED', continuable: false });
    await until(() => world.agent.calls.length > 0, 'the model is asked');
    await world.clock.advance(61_000);
    await expires;
    assert.deepEqual(world.agent.aborted, ['ses_1']);
  });

  it('continues in an open session, and says so when that is lost', async () => {
    world.agent.answer = () => 'colour: red';
    const first = await put();
    const second = await put({ key: 'second', session: first.session });
    assert.deepEqual(second.session, { ...first.session, prompts: 2 });
    world.agent.sessions.clear();
    await assert.rejects(put({ key: 'third', session: second.session }), { code: 'SESSION_LOST' });
  });

  it('adds what the user wants every prompt to know', async () => {
    await world.put('user_context', 'We write British English.');
    world.agent.answer = () => 'colour: red';
    await put();
    assert.match(world.agent.calls[0]?.whole ?? '', /We write British English\./);
  });
});
