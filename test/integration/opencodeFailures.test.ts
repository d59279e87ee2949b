import assert from 'node:assert/strict';
import { OpencodeBench, callOptions } from '../support/models/opencodeServer.ts';
import { until } from '../support/until.ts';
import { RunStopped } from '../../src/engine/run/runScope.ts';
import type { OpencodeAgent } from '../../src/adapters/opencode/opencodeAgent.ts';
import type {
  AgentActivity,
  AgentCallOptions,
  AgentReply,
  SessionRef,
} from '../../src/engine/ports/ports.ts';

/** Nothing is thrown and nothing waits for ever. */
describe('A model call that fails', () => {
  let bench: OpencodeBench;
  let agent: OpencodeAgent;
  let title = 0;

  before(async () => {
    bench = await new OpencodeBench().start();
    agent = bench.agent();
    // The first call in a directory takes seconds.
    const session = await open();
    assert.ok((await prompt(session)).ok);
  });
  after(() => bench.stop());
  beforeEach(() => bench.model.reset());

  const open = () =>
    agent.createSession({
      directory: bench.repository,
      title: `ABC-1 step ${(title += 1)}`,
      policy: 'default',
    });
  const prompt = (session: SessionRef, options: AgentCallOptions = callOptions(), member = 'tiny/one') =>
    agent.prompt(session, { member, policy: 'default', text: 'go' }, options);
  const failure = (reply: AgentReply) => {
    assert.ok(!reply.ok, 'it should have failed');
    const { kind, statusCode, continuable } = reply.failure;
    return { kind, statusCode, continuable };
  };

  it('counts 429 and stops at the limit, after which the session rests', async () => {
    bench.model.answer = () => ({ kind: 'status', status: 429, message: 'slow down' });
    const seen: AgentActivity[] = [];
    const session = await open();
    const reply = await prompt(
      session,
      callOptions({ retryLimit: 1, onActivity: (activity) => seen.push(activity) }),
    );
    assert.deepEqual(failure(reply), { kind: 'quota', statusCode: null, continuable: true });
    assert.equal(bench.model.requests.length, 2);
    assert.deepEqual(
      seen.map((item) => (item.kind === 'retry' ? [item.attempt, item.message] : item.kind)),
      [
        [1, 'slow down'],
        [2, 'slow down'],
      ],
    );
    const look = await agent.look(session);
    assert.ok(look.state === 'answered' && !look.reply.ok);
    bench.model.reset();
    assert.ok((await prompt(session)).ok, 'the session can be continued');
  });

  it('fails at the first 429 when none is allowed, and after the grace when the provider asks for hours', async () => {
    bench.model.answer = () => ({ kind: 'status', status: 429, headers: { 'retry-after': '3600' } });
    assert.equal(failure(await prompt(await open(), callOptions({ retryLimit: 0 }))).kind, 'quota');
    const started = performance.now();
    const reply = await prompt(await open(), callOptions({ retryLimit: 10, retryGraceMs: 60_000 }));
    assert.equal(failure(reply).kind, 'quota');
    assert.ok(
      performance.now() - started < 10_000,
      'nobody waits for an hour to learn that it takes an hour',
    );
    const minutes = reply.ok ? 0 : (reply.failure.retryAfterMs ?? 0) / 60_000;
    assert.ok(minutes > 59 && minutes < 61, `it can be asked again in ${minutes} minutes`);
  });

  const statuses = [
    [401, { kind: 'auth', statusCode: 401, continuable: false }],
    [402, { kind: 'quota', statusCode: 402, continuable: true }],
    [400, { kind: 'provider', statusCode: 400, continuable: false }],
    [404, { kind: 'provider', statusCode: 404, continuable: false }],
  ] as const;
  for (const [status, expected] of statuses) {
    it(`tells what HTTP ${status} means`, async () => {
      bench.model.answer = () => ({ kind: 'status', status });
      assert.deepEqual(failure(await prompt(await open())), expected);
    });
  }

  it('tells a session that is too long for the model from other refused requests', async () => {
    bench.model.answer = () => ({
      kind: 'status',
      status: 400,
      message: "This model's maximum context length is 8192 tokens.",
    });
    const { kind, continuable } = failure(await prompt(await open()));
    assert.deepEqual([kind, continuable], ['overflow', false]);
  });

  it('takes garbage for a failure, although OpenCode says 200', async () => {
    bench.model.answer = () => ({ kind: 'garbage' });
    assert.equal(failure(await prompt(await open())).kind, 'garbage');
  });

  it('knows an unknown model before it asks', async () => {
    assert.deepEqual(failure(await prompt(await open(), callOptions(), 'tiny/nobody')), {
      kind: 'unknown_model',
      statusCode: null,
      continuable: false,
    });
    assert.equal(bench.model.requests.length, 0);
  });

  it('marks an answer that was cut off, and fails one that is empty', async () => {
    bench.model.answer = () => ({ kind: 'text', text: 'half of', finish: 'length' });
    const reply = await prompt(await open());
    assert.ok(reply.ok && reply.truncated && reply.text === 'half of');
    bench.model.answer = () => ({ kind: 'text', text: '', finish: 'length' });
    assert.equal(failure(await prompt(await open())).kind, 'truncated');
  });

  it('ends a call in which nothing happens any more, and keeps what came', async () => {
    bench.model.answer = () => ({ kind: 'hang', text: 'so far' });
    const seen: AgentActivity[] = [];
    const session = await open();
    const impatient = bench.agent({ limits: { quietMs: 1_000, hungMs: 4_000, pollMs: 200 } });
    const options = callOptions({ onActivity: (activity) => seen.push(activity) });
    const reply = await impatient.prompt(
      session,
      { member: 'tiny/one', policy: 'default', text: 'go' },
      options,
    );
    assert.deepEqual(failure(reply), { kind: 'hung', statusCode: null, continuable: true });
    assert.ok(!reply.ok && reply.partial === 'so far');
    assert.equal(seen.filter((item) => item.kind === 'retry').length, 1);
    assert.equal((await agent.look(session)).state, 'answered');
  });

  it('takes a command that prints nothing for work', async () => {
    const command = {
      kind: 'tool',
      tool: 'bash',
      input: { command: 'sleep 7', description: 'Waits' },
    } as const;
    bench.model.answer = (_request, index) =>
      index === 0 ? command : { kind: 'text', text: 'It took its time.' };
    const seen: AgentActivity[] = [];
    const impatient = bench.agent({ limits: { quietMs: 1_000, hungMs: 3_000, pollMs: 200 } });
    const options = callOptions({ onActivity: (activity) => seen.push(activity) });
    const reply = await impatient.prompt(
      await open(),
      { member: 'tiny/one', policy: 'default', text: 'go' },
      options,
    );
    assert.ok(reply.ok && reply.text === 'It took its time.');
    assert.ok(seen.some((item) => item.kind === 'retry' && /bash has been running/.test(item.message)));
  });

  it('stops the session when the caller gives up', async () => {
    bench.model.answer = () => ({ kind: 'hang', text: 'so far' });
    const session = await open();
    const caller = new AbortController();
    const seen: AgentActivity[] = [];
    const options = callOptions({ signal: caller.signal, onActivity: (activity) => seen.push(activity) });
    const waiting = prompt(session, options);
    // What OpenCode hasn't read yet isn't in the answer that is kept.
    await until(() => seen.some(({ kind }) => kind === 'text'), 'the first words to be heard');
    assert.equal((await agent.look(session)).state, 'busy');
    caller.abort();
    assert.equal(failure(await waiting).kind, 'aborted');
    const look = await agent.look(session);
    assert.ok(
      look.state === 'answered' &&
        !look.reply.ok &&
        look.reply.failure.kind === 'aborted' &&
        look.reply.partial === 'so far',
    );
    await agent.abort(session);
    await agent.abort({ id: 'ses_missing', directory: bench.repository });
  });

  it('leaves the session at work when the process merely stops, for the next one to wait for', async () => {
    bench.model.answer = () => ({ kind: 'text', text: 'it went on', delayMs: 3_000 });
    const session = await open();
    const caller = new AbortController();
    const waiting = prompt(session, callOptions({ signal: caller.signal }));
    await until(() => bench.model.requests.length === 1, 'the model to be asked');
    caller.abort(new RunStopped('stop'));
    assert.equal(failure(await waiting).kind, 'aborted');
    assert.deepEqual(await agent.look(session), { state: 'busy', prompts: 1 });
    const reply = await agent.await(session, { member: 'tiny/one', policy: 'default' }, callOptions());
    assert.ok(reply.ok && reply.text === 'it went on');
    assert.equal(bench.model.requests.length, 1);
  });

  it('ends an agent that goes round in circles', async () => {
    // From the eighth on the answer never ends.
    bench.model.answer = (_request, index) =>
      index < 7 ? { kind: 'tool', tool: 'glob', input: { pattern: '*' } } : { kind: 'hang' };
    const reply = await prompt(await open());
    assert.deepEqual(failure(reply), { kind: 'loop', statusCode: null, continuable: false });
    assert.match(reply.ok ? '' : reply.failure.message, /same tool call/);
  });

  it('asks a model whose streams have no end only a few times, and takes what it said last for its answer', async () => {
    bench.model.answer = (_request, index) =>
      index < 6 ? { kind: 'text', text: 'as far as I got', finish: null } : { kind: 'hang' };
    const reply = await prompt(await open());
    assert.ok(bench.model.requests.length >= 4, String(bench.model.requests.length));
    assert.ok(reply.ok && reply.text === 'as far as I got', JSON.stringify(reply));
  });

  it('is ended when it used the tokens that are left, and can be continued', async () => {
    bench.model.answer = (_, index) => ({
      kind: 'tool',
      tool: 'glob',
      input: { pattern: `${String(index)}*` },
    });
    const session = await open();
    const reply = await prompt(session, callOptions({ mostTokens: 60 }));
    assert.deepEqual(failure(reply), { kind: 'capped', statusCode: null, continuable: true });
    assert.ok(
      bench.model.requests.length >= 4 && bench.model.requests.length < 12,
      String(bench.model.requests.length),
    );
    bench.model.reset();
    assert.ok((await prompt(session)).ok);
  });

  it('asks nobody for permission: what the policy doesn’t allow is refused and the agent continues', async () => {
    bench.model.answer = (_request, index) =>
      index === 0
        ? { kind: 'tool', tool: 'bash', input: { command: 'cat /etc/hostname', description: 'x' } }
        : { kind: 'text', text: 'went on' };
    const reply = await prompt(await open());
    assert.ok(reply.ok && reply.text === 'went on');
    assert.equal(reply.tools[0]?.status, 'error');
  });

  it('finds no session that isn’t there', async () => {
    assert.deepEqual(await agent.look({ id: 'ses_missing', directory: bench.repository }), {
      state: 'missing',
    });
    assert.equal(await agent.findSession(bench.repository, 'no such title'), undefined);
  });
});
