import assert from 'node:assert/strict';
import * as z from 'zod';
import { SecretlintScanner } from '../../../../../src/adapters/secrets/secretlintScanner.ts';
import { engineSource } from '../../../../../src/domain/ticket/agentRequest.ts';
import { askIn, askSideBySide, callFor } from '../../../../support/engine/colourCall.ts';
import { type PhaseWorld, phaseWorlds } from '../../../../support/engine/phaseWorld.ts';
import { until } from '../../../../support/until.ts';

/** A token as a provider makes them, put together so that no scanner finds it here. */
const token = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
const schema = z.object({ colour: z.string(), list: z.array(z.string()).default([]) });
const question = callFor(schema);

let world: PhaseWorld;

async function put(over: Partial<typeof question> = {}): Promise<z.infer<typeof schema> | undefined> {
  return (await askIn(world, { ...question, ...over }))?.value;
}

async function stored(): Promise<string> {
  const { store } = world;
  const steps = await Promise.all((await store.runs('TST-1')).map(({ id }) => store.steps(id)));
  const receipt = await world.artifact('prompt_secrets_receipt');
  return JSON.stringify([
    await store.journal('TST-1'),
    await store.calls('TST-1'),
    await store.inbox('TST-1'),
    steps,
    receipt,
    await world.ticket(),
  ]);
}

describe('a secret that a model quotes', () => {
  const make = phaseWorlds();
  beforeEach(async () => (world = await make('SCANNING_RELEVANT_FILES')));

  it('is in no answer, and the answer is read as it was meant', async () => {
    world.agent.answer = () => `colour: ${token}\nlist:\n  - ${token}\n  - blue\n`;
    assert.deepEqual(await put(), { colour: '(redacted github)', list: ['(redacted github)', 'blue'] });
    assert.ok(!(await stored()).includes(token));
  });

  it("is neither stored nor sent back when the answer can't be used", async () => {
    world.agent.answer = (call) => (call.task === 'structured-repair' ? 'colour: blue' : `color: "${token}"`);
    assert.equal((await put())?.colour, 'blue');
    assert.ok(!(world.agent.calls[1]?.whole ?? '').includes(token));
    assert.match(world.agent.calls[1]?.whole ?? '', /color: "\(redacted github\)"/);
    assert.ok(!(await stored()).includes(token));
  });

  it('is not in a call that failed, nor in what people are told of it', async () => {
    const usage = null;
    const failure = {
      kind: 'auth',
      message: `${token} was refused`,
      statusCode: 401,
      continuable: true,
    } as const;
    world.agent.answer = () => ({ ok: false, failure, partial: `half of ${token}`, usage, tools: [] });
    await assert.rejects(put(), (error: Error) => !error.message.includes(token));
    assert.ok(!(await stored()).includes(token));
  });
});

describe('a prompt with a secret', () => {
  const make = phaseWorlds();
  const told = async (context: string): Promise<void> => {
    world = await make('SCANNING_RELEVANT_FILES');
    world.secrets = new SecretlintScanner();
    world.agent.answer = () => 'colour: red';
    await world.put('user_context', context);
  };
  const request = () => until(async () => (await world.ticket()).hold?.request, 'the request');
  const decide = async (choice: string): Promise<void> => {
    await world.post('question_reply', { request: (await request()).id, answers: [[choice]] });
  };
  const sent = (): string => world.agent.calls.map(({ whole }) => whole).join('\n');

  beforeEach(() => told(`Staging takes this:\ntoken = ${token} until May`));

  it('waits for a person, who sees where it is and not what it is, and is sent without it', async () => {
    const asking = put();
    const { source, content } = await request();
    assert.equal(source, engineSource);
    assert.ok(content.kind === 'question');
    assert.match(
      content.questions[0]?.text ?? '',
      /- user context, line 2: github \S+: token = \[redacted: github\] until May/,
    );
    assert.equal(world.agent.calls.length, 0, 'nothing is sent before');
    await decide('Leave out');
    assert.equal((await asking)?.colour, 'red');
    assert.match(sent(), /token = \[redacted: github\] until May/);
    assert.ok(!sent().includes(token) && !(await stored()).includes(token));
    assert.ok(
      world.activity.includes(
        'engine: Left out of the prompt interview-draft, because it looks like a secret: github GITHUB_TOKEN (user context, line 2)',
      ),
    );
    const [decision] = (await world.json('prompt_secrets_receipt'))?.['decisions'] as readonly Record<
      string,
      unknown
    >[];
    assert.equal(decision?.['decision'], 'left_out');
  });

  it('AT-13: is sent with it where a person allows that, and is stored without', async () => {
    const asking = put();
    await decide('Allow for this ticket');
    await asking;
    assert.ok(sent().includes(token));
    assert.ok(!(await stored()).includes(token));
  });

  it('is asked about once a ticket, whatever the answer', async () => {
    for (const choice of ['Allow for this ticket', 'Leave out', 'whatever']) {
      await told(`token = ${token}`);
      const asking = put();
      await decide(choice);
      await asking;
      await world.enter('COUNCIL_DELIBERATING');
      await put({ key: 'another' });
      assert.equal(world.agent.calls.length, 2);
      assert.equal(sent().includes(token), choice.startsWith('Allow'));
      await world.put('user_context', `${token} and ${token.replace('wWPw', 'xXQx')}`);
      await world.enter('COUNCIL_VOTING_INTERVIEW');
      const third = put({ key: 'third' });
      assert.doesNotMatch(
        JSON.stringify((await request()).content),
        /line 1.*line 1/,
        'only the new one is asked about',
      );
      await decide('Leave out');
      await third;
    }
  });

  it('is not sent when a person stops it, and is asked about again when the ticket continues', async () => {
    const asking = put();
    await decide('Stop');
    await assert.rejects(asking, { code: 'PROMPT_STOPPED', continuable: true });
    assert.equal((await world.ticket()).status, 'BLOCKED_ERROR');
    assert.equal(world.agent.calls.length, 0);
    await world.post('continue', {});
    const again = put();
    await decide('Leave out');
    assert.equal((await again)?.colour, 'red');
    assert.equal(world.agent.calls.length, 1);
  });

  it('is asked about once for a council, whose members all get what was decided', async () => {
    for (const choice of ['Leave out', 'Stop']) {
      const members = ['demo/main', 'demo/second', 'demo/third'];
      const driving = askSideBySide(world, question, members);
      await decide(choice);
      if (choice === 'Stop') await assert.rejects(driving, { code: 'PROMPT_STOPPED' });
      else await driving;
      assert.equal(world.agent.calls.length, choice === 'Stop' ? 0 : 3);
      assert.ok(!sent().includes(token));
      await told(token);
    }
  });

  it('is the same question after the process died, and what was decided then stands', async () => {
    void put().catch(() => undefined);
    const { id } = await request();
    world.crash();
    const again = put();
    assert.equal((await request()).id, id);
    world.killAt = 'colour';
    await decide('Leave out');
    await again.catch(() => undefined);
    assert.equal((await put())?.colour, 'red');
    assert.equal(world.agent.calls.length, 1);
    assert.ok(!sent().includes(token));
  });

  it('asks nobody about what an output or a model brought along: that is left out', async () => {
    await world.put('user_context', 'Nothing special.');
    await put({
      contextKey: 'execution_setup_note',
      prompt: 'setup-note',
      state: { errorContext: `fatal: ${token} refused` },
    });
    assert.match(sent(), /fatal: \[redacted: github\] refused/);
    assert.ok(!(await stored()).includes(token));
  });
});
