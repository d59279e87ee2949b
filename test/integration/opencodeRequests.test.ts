import assert from 'node:assert/strict';
import type { RequestDecision } from '../../src/domain/ticket/agentRequest.ts';
import { RunStopped } from '../../src/engine/run/runScope.ts';
import type { OpencodeAgent } from '../../src/adapters/opencode/opencodeAgent.ts';
import type { AgentCallOptions, AskedRequest, SessionRef } from '../../src/engine/ports/ports.ts';
import { callOptions, OpencodeBench } from '../support/models/opencodeServer.ts';
import { until } from '../support/until.ts';

const question = {
  question: 'Which format?',
  header: 'Format',
  options: [
    { label: 'CSV', description: 'for spreadsheets' },
    { label: 'JSON', description: 'for programs' },
  ],
};
const outside = { command: 'cat /etc/hostname', description: 'Reads a file outside' };

/** Answered, refused, or left alone. */
describe('An agent that asks', () => {
  let bench: OpencodeBench;
  let agent: OpencodeAgent;
  let title = 0;

  before(async () => {
    bench = await new OpencodeBench().start();
    agent = bench.agent({ limits: { pollMs: 300 } });
  });
  after(() => bench.stop());
  beforeEach(() => bench.model.reset());

  const open = (asks = true) =>
    agent.createSession({
      directory: bench.repository,
      title: `ABC-1 asks ${(title += 1)}`,
      policy: 'default',
      asks,
    });
  const prompt = (session: SessionRef, options: Partial<AgentCallOptions>) =>
    agent.prompt(session, { member: 'tiny/one', policy: 'default', text: 'go' }, callOptions(options));
  const first = (tool: string, input: unknown) => {
    bench.model.answer = (_request, index) =>
      index === 0 ? { kind: 'tool', tool, input } : { kind: 'text', text: 'went on' };
  };
  const asking = (decision: RequestDecision) => {
    const seen: AskedRequest[] = [];
    const onRequest = (request: AskedRequest) => {
      seen.push(request);
      return Promise.resolve(decision);
    };
    return { seen, onRequest };
  };
  /** In place of its tool call's result. */
  const told = () =>
    bench.model.requests.at(-1)?.messages.findLast(({ role }) => role === 'tool')?.text ?? '';

  it('has the tool for questions only where it may ask', async () => {
    await prompt(await open(false), {});
    await prompt(await open(true), {});
    assert.deepEqual(
      bench.model.requests.map(({ tools }) => tools.includes('question')),
      [false, true],
    );
  });

  it('hears the answer, and continues', async () => {
    first('question', { questions: [question] });
    const { seen, onRequest } = asking({ kind: 'answers', answers: [['JSON']] });
    const reply = await prompt(await open(), { onRequest });
    assert.ok(reply.ok && reply.text === 'went on');
    assert.match(told(), /JSON/);
    assert.deepEqual(
      seen.map(({ content }) => content),
      [
        {
          kind: 'question',
          questions: [
            {
              text: 'Which format?',
              header: 'Format',
              options: question.options,
              multiple: false,
              custom: true,
            },
          ],
        },
      ],
    );
  });

  it('is told to decide itself when nobody answers, and continues', async () => {
    first('question', { questions: [question] });
    const reply = await prompt(await open(), { onRequest: asking({ kind: 'none' }).onRequest });
    assert.ok(reply.ok && reply.text === 'went on');
    assert.match(told(), /Decide yourself/);
  });

  it('may do what a person allows, this once; the command is named', async () => {
    first('bash', outside);
    const { seen, onRequest } = asking({ kind: 'allow' });
    const reply = await prompt(await open(), { onRequest });
    assert.ok(reply.ok && reply.text === 'went on');
    assert.equal(reply.tools[0]?.status, 'completed');
    const [request] = seen;
    assert.ok(request?.content.kind === 'permission');
    assert.equal(request.content.permission, 'external_directory');
    assert.equal(request.content.command, outside.command);
    first('bash', outside);
    bench.model.requests.length = 0;
    const again = asking({ kind: 'deny' });
    await prompt(await open(), { onRequest: again.onRequest });
    assert.equal(again.seen.length, 1, 'allowing once is remembered by nobody');
  });

  it('asks for every command where nothing confines it, and runs none without an answer', async () => {
    const guarded = bench.agent({ limits: { pollMs: 300 }, asksForCommands: true });
    const run = async (options: Partial<AgentCallOptions>) => {
      bench.model.requests.length = 0;
      first('bash', { command: 'echo ran', description: 'Says so' });
      const names = {
        directory: bench.repository,
        title: `ABC-1 asks ${(title += 1)}`,
        policy: 'default',
      } as const;
      const session = await guarded.createSession({ ...names, asks: options.onRequest !== undefined });
      return guarded.prompt(
        session,
        { member: 'tiny/one', policy: 'default', text: 'go' },
        callOptions(options),
      );
    };
    const { seen, onRequest } = asking({ kind: 'allow' });
    assert.equal((await run({ onRequest })).tools[0]?.status, 'completed');
    assert.deepEqual(
      seen.map(({ content }) => content.kind === 'permission' && [content.permission, content.command]),
      [['bash', 'echo ran']],
    );
    assert.equal((await run({})).tools[0]?.status, 'error');
  });

  it('continues without what is denied', async () => {
    first('bash', outside);
    const reply = await prompt(await open(), { onRequest: asking({ kind: 'deny' }).onRequest });
    assert.ok(reply.ok && reply.text === 'went on');
    assert.equal(reply.tools[0]?.status, 'error');
  });

  it('waits on when this process stops; the next one finds the same request', async () => {
    first('question', { questions: [question] });
    const session = await open();
    const stop = new AbortController();
    const before: string[] = [];
    const stopped = prompt(session, {
      signal: stop.signal,
      onRequest: ({ asked }) => {
        before.push(asked);
        return new Promise((resolve) => stop.signal.addEventListener('abort', () => resolve(undefined)));
      },
    });
    await until(() => before.length === 1, 'the question');
    stop.abort(new RunStopped('stop'));
    assert.equal((await stopped).ok, false);
    assert.equal((await agent.look(session)).state, 'busy');
    const { seen, onRequest } = asking({ kind: 'answers', answers: [['CSV']] });
    const reply = await agent.await(
      session,
      { member: 'tiny/one', policy: 'default' },
      callOptions({ onRequest }),
    );
    assert.ok(reply.ok && reply.text === 'went on');
    assert.deepEqual(
      seen.map(({ asked }) => asked),
      before,
    );
    assert.equal(bench.model.requests.length, 2);
  });

  it('withdraws its request when its session is stopped from elsewhere', async () => {
    first('question', { questions: [question] });
    const session = await open();
    let withdrawn = false;
    const prompted = prompt(session, {
      onRequest: (_request, gone) =>
        new Promise((resolve) => {
          void agent.abort(session);
          gone.addEventListener('abort', () => {
            withdrawn = true;
            resolve(undefined);
          });
        }),
    });
    assert.equal((await prompted).ok, false);
    assert.ok(withdrawn);
  });
});
