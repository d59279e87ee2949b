import assert from 'node:assert/strict';
import { ActivityFeed } from '../../../../src/adapters/opencode/activityFeed.ts';
import type { SessionEvent } from '../../../../src/adapters/opencode/client/eventHub.ts';
import type { AgentActivity } from '../../../../src/engine/ports/ports.ts';
import { until } from '../../../support/until.ts';

describe('what a model is doing', () => {
  let told: AgentActivity[];
  let feed: ActivityFeed;
  beforeEach(() => {
    told = [];
    feed = new ActivityFeed((activity) => told.push(activity), '/trees/T-1');
  });
  afterEach(() => feed.flush());
  const delta = (part: string, text: string): SessionEvent => ({ kind: 'delta', part, field: 'text', text });
  const part = (id: string, type: string, text = ''): SessionEvent => ({
    kind: 'part',
    part: { id, type, text },
  });
  const tool = (id: string, status: string, more: object = {}, name = 'bash'): SessionEvent => ({
    kind: 'part',
    part: { id, type: 'tool', tool: name, callID: id, state: { status, input: {}, ...more } },
  });
  const calls = () => told.map((activity) => (activity.kind === 'tool' ? activity.call : undefined));

  it('is told in pieces that can be read, not for every token', async () => {
    for (const word of ['I ', 'read ', 'the ', 'file.']) feed.add(delta('a', word));
    assert.deepEqual(told, []);
    await until(() => told.length > 0, 'the text');
    feed.flush();
    assert.deepEqual(told, [
      { kind: 'text', text: 'I read the ', part: 'a', offset: 0 },
      { kind: 'text', text: 'file.', part: 'a', offset: 11 },
    ]);
  });

  it('keeps what it thinks apart from what it says', () => {
    feed.add(part('a', 'reasoning'));
    feed.add(part('b', 'text'));
    for (const [id, text] of [
      ['a', 'Hm. '],
      ['a', 'Yes.'],
      ['b', 'Done.'],
    ] as const)
      feed.add(delta(id, text));
    feed.flush();
    assert.deepEqual(told, [
      { kind: 'reasoning', text: 'Hm. Yes.', part: 'a', offset: 0 },
      { kind: 'text', text: 'Done.', part: 'b', offset: 0 },
    ]);
  });

  it('is told whole once it ended, if its beginning was not heard', () => {
    feed.add(delta('a', 'the file.'));
    feed.flush();
    feed.add(part('a', 'text', 'I read the file.\n'));
    feed.add(part('a', 'text', 'I read the file.\n'));
    feed.add(part('prompt', 'text', 'Read the file, then tell.'));
    assert.deepEqual(told, [
      { kind: 'text', text: 'the file.', part: 'a', offset: 0 },
      { kind: 'text', text: 'I read the file.\n', part: 'a', offset: 0 },
    ]);
  });

  it('holds no secret, however it is cut', async () => {
    const token = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${`${'MIIE'.repeat(16)}\n`.repeat(4)}`;
    const text = `Use ${token} now. ${key}-----END RSA PRIVATE KEY-----\nDone.`;
    for (let at = 0; at < text.length; at += 30) {
      const before = told.length;
      feed.add(delta('a', text.slice(at, at + 30)));
      if (at === 30) await until(() => told.length > before, 'a piece');
    }
    feed.flush();
    const shown = told.map((activity) => ('text' in activity ? activity.text : '')).join('');
    assert.doesNotMatch(shown, /ghp_|MIIE/);
    assert.match(shown, /^Use .* now\. [\s\S]*\nDone\.$/);
  });

  it('tells of a tool call what it is about', () => {
    const input = { filePath: '/trees/T-1/src/a.ts', oldString: 'a\nb\nc', newString: 'a\nB\nBB\nc' };
    feed.add(tool('1', 'completed', { input, output: 'Edited.' }, 'edit'));
    feed.add(tool('2', 'error', { input: { filePath: '/etc/passwd' }, error: 'Not allowed.' }, 'read'));
    feed.add(tool('3', 'completed', { input: { command: 'npm test' }, output: 'x'.repeat(9_000) }));
    const todos = [{ content: 'Write it', status: 'in_progress' }];
    feed.add(tool('4', 'completed', { input: { todos }, output: '[]' }, 'todowrite'));
    assert.deepEqual(calls(), [
      { tool: 'edit', state: 'done', path: 'src/a.ts', output: 'Edited.', added: 2, deleted: 1 },
      { tool: 'read', state: 'failed', about: '/etc/passwd', output: 'Not allowed.' },
      { tool: 'bash', state: 'done', command: 'npm test', output: 'x'.repeat(4_000) },
      { tool: 'todowrite', state: 'done', todos: [{ text: 'Write it', state: 'active' }] },
    ]);
  });

  it('tells what a model that isn’t trusted puts into a call, but no more than that', () => {
    const secret = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
    const inputs = [
      null,
      { todos: 'none' },
      { filePath: 7 },
      { filePath: '../../etc/passwd' },
      { filePath: '.git/config' },
      { command: `curl -H ${secret} ${'y'.repeat(9_000)}` },
    ];
    for (const [index, input] of inputs.entries())
      feed.add(tool(String(index), 'completed', { input, output: `token ${secret}` }, 'todowrite'));
    for (const call of calls())
      assert.ok(call && call.path === undefined && (call.command ?? '').length <= 2_000);
    assert.doesNotMatch(JSON.stringify(told), /ghp_/);
  });

  it('tells each state of a tool call once, after what was said before it', () => {
    feed.add(delta('a', 'I run it.'));
    for (const status of ['pending', 'running', 'running', 'completed', 'completed'])
      feed.add(tool('call-1', status, { title: 'npm test' }));
    feed.add(tool('call-2', 'running'));
    assert.deepEqual(told, [
      { kind: 'text', text: 'I run it.', part: 'a', offset: 0 },
      ...(['pending', 'running', 'completed'] as const).map((state) => ({
        kind: 'tool',
        tool: 'bash',
        state,
        title: 'npm test',
        part: 'call-1',
        call: { tool: 'bash', state: state === 'completed' ? 'done' : 'running', about: 'npm test' },
      })),
      {
        kind: 'tool',
        tool: 'bash',
        state: 'running',
        title: '',
        part: 'call-2',
        call: { tool: 'bash', state: 'running' },
      },
    ]);
  });

  it('tells each retry of a provider once', () => {
    for (const attempt of [1, 1, 2]) feed.retry(attempt, 'overloaded');
    feed.retry(2, 'rate limit');
    assert.deepEqual(
      told.map((activity) => (activity.kind === 'retry' ? [activity.attempt, activity.message] : [])),
      [
        [1, 'overloaded'],
        [2, 'overloaded'],
        [2, 'rate limit'],
      ],
    );
  });

  it('is nothing for events that say nothing of it', () => {
    for (const event of [
      { kind: 'look' },
      { kind: 'request' },
      { kind: 'error', error: { name: 'X' } },
      part('a', 'step-start'),
    ] as const)
      feed.add(event);
    feed.flush();
    assert.deepEqual(told, []);
  });
});
