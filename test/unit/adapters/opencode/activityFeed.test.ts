import assert from 'node:assert/strict';
import { ActivityFeed } from '../../../../src/adapters/opencode/followPrompt.ts';
import type { SessionEvent } from '../../../../src/adapters/opencode/client/eventHub.ts';
import type { AgentActivity } from '../../../../src/engine/ports/ports.ts';
import { until } from '../../../support/until.ts';

describe('what a model is doing', () => {
  let told: AgentActivity[];
  let feed: ActivityFeed;
  beforeEach(() => {
    told = [];
    feed = new ActivityFeed((activity) => told.push(activity));
  });
  afterEach(() => {
    feed.flush();
  });
  const delta = (part: string, text: string): SessionEvent => ({ kind: 'delta', part, field: 'text', text });
  const part = (id: string, type: string): SessionEvent => ({ kind: 'part', part: { id, type } });
  const tool = (id: string, status: string, title?: string): SessionEvent => ({
    kind: 'part',
    part: {
      id,
      type: 'tool',
      tool: 'bash',
      callID: id,
      state: { status, input: {}, ...(title === undefined ? {} : { title }) },
    },
  });

  it('is told in pieces that can be read, not for every token', async () => {
    for (const word of ['I ', 'read ', 'the ', 'file.']) feed.add(delta('a', word));
    assert.deepEqual(told, []);
    await until(() => told.length > 0, 'the text');
    assert.deepEqual(told, [{ kind: 'text', text: 'I read the file.' }]);
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
      { kind: 'reasoning', text: 'Hm. Yes.' },
      { kind: 'text', text: 'Done.' },
    ]);
  });

  it('tells each state of a tool call once, after what was said before it', () => {
    feed.add(delta('a', 'I run it.'));
    for (const status of ['pending', 'running', 'running', 'completed', 'completed'])
      feed.add(tool('call-1', status, 'npm test'));
    feed.add(tool('call-2', 'running'));
    assert.deepEqual(told, [
      { kind: 'text', text: 'I run it.' },
      ...['pending', 'running', 'completed'].map((state) => ({
        kind: 'tool',
        tool: 'bash',
        state,
        title: 'npm test',
      })),
      { kind: 'tool', tool: 'bash', state: 'running', title: '' },
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
