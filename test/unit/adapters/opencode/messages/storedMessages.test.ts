import assert from 'node:assert/strict';
import {
  StoredMessages,
  hasStable,
  readStoredSession,
} from '../../../../../src/adapters/opencode/messages/storedMessages.ts';

describe('What stored messages prove', () => {
  const user = (id: string, mark?: 'prompt' | 'stable', name = 'h') => ({
    info: { role: 'user', id },
    parts: [{ type: 'text', text: 'x', ...(mark ? { metadata: { beadsmith: mark, id: name } } : {}) }],
  });
  const assistant = (parentID: string, info: Record<string, unknown>, ...parts: readonly object[]) => ({
    info: {
      role: 'assistant',
      id: `a-${parentID}`,
      parentID,
      providerID: 'p',
      modelID: 'm/n',
      time: { completed: 1 },
      cost: 0.25,
      tokens: { input: 1, output: 2, reasoning: 3, cache: { read: 4, write: 5 } },
      ...info,
    },
    parts,
  });
  const text = (content: string) => ({ type: 'text', text: content });
  const read = (...messages: readonly object[]) => readStoredSession(StoredMessages.parse(messages));

  it('counts only prompts of ours', () => {
    assert.equal(read().prompts, 0);
    assert.equal(read(user('1', 'stable')).prompts, 0);
    assert.equal(read(user('1', 'stable'), user('2', 'prompt'), user('3')).prompts, 1);
  });

  it('takes the last words for the answer and adds up what all its messages cost', () => {
    const { reply } = read(
      user('1', 'prompt'),
      assistant('1', { finish: 'tool-calls' }, text('Let me look.')),
      assistant('1', { finish: 'stop' }, text('the '), text('answer')),
    );
    assert.ok(reply?.ok);
    assert.equal(reply.text, 'the answer');
    const { input, output, reasoning, cacheRead, cacheWrite, cost, model, first } = reply.usage;
    assert.deepEqual(first, { prompt: 10, cacheRead: 4, cacheWrite: 5 });
    assert.deepEqual(
      [input, output, reasoning, cacheRead, cacheWrite, cost, model],
      [2, 4, 6, 8, 10, 0.5, 'p/m/n'],
    );
  });

  it('keeps words that were followed only by a silent message', () => {
    const silent = assistant('1', { finish: 'stop' }, text('  '));
    const { reply } = read(
      user('1', 'prompt'),
      assistant('1', { finish: 'tool-calls' }, text('the answer')),
      silent,
    );
    assert.ok(reply?.ok && reply.text === 'the answer');
  });

  it('does not take another prompt’s answer', () => {
    const { reply, prompts } = read(
      user('1', 'prompt'),
      assistant('1', { finish: 'stop' }, text('one')),
      user('2', 'prompt'),
    );
    assert.equal(prompts, 2);
    assert.equal(reply, undefined);
  });

  it('gives what was written by a schema, takes a text in its place for what it is, and half of one for nothing', () => {
    const { reply } = read(
      user('1', 'prompt'),
      assistant('1', { finish: 'tool-calls', structured: { colours: ['1.10'] } }),
    );
    assert.ok(reply?.ok && reply.structured === true);
    assert.deepEqual(JSON.parse(reply.text), { colours: ['1.10'] });
    const error = {
      name: 'StructuredOutputError',
      data: { message: 'Model did not produce structured output' },
    };
    const { reply: said } = read(
      user('1', 'prompt'),
      assistant('1', { finish: 'stop', error }, text('colours: [a]')),
    );
    assert.ok(said?.ok && said.structured === undefined && said.text === 'colours: [a]');
    const { reply: half } = read(
      user('1', 'prompt'),
      assistant('1', { finish: 'length', error }, text('col')),
    );
    assert.equal(half?.ok === false && half.failure.kind, 'truncated');
    const { reply: none } = read(user('1', 'prompt'), assistant('1', { finish: 'stop', error }));
    assert.equal(none?.ok === false && none.failure.kind, 'unformatted');
  });

  it('has no answer while a message is open, or between two steps', () => {
    assert.equal(read(user('1', 'prompt'), assistant('1', { time: {} }, text('so far'))).reply, undefined);
    assert.equal(read(user('1', 'prompt'), assistant('1', { finish: 'tool-calls' })).reply, undefined);
  });

  it('tells an aborted call from a finished one', () => {
    const { reply } = read(user('1', 'prompt'), assistant('1', {}));
    assert.ok(reply && !reply.ok && reply.failure.kind === 'aborted');
  });

  it('shortens what tools said', () => {
    const tool = {
      type: 'tool',
      tool: 'bash',
      callID: 'c',
      state: { status: 'completed', input: {}, title: 't', output: 'y'.repeat(900) },
    };
    const { reply } = read(user('1', 'prompt'), assistant('1', { finish: 'stop' }, tool));
    assert.deepEqual(reply?.tools, [
      { tool: 'bash', title: 't', status: 'completed', excerpt: 'y'.repeat(320) },
    ]);
  });

  it('finds stable content by its hash', () => {
    const messages = StoredMessages.parse([user('1', 'stable', 'abc'), user('2', 'prompt', 'def')]);
    assert.deepEqual([hasStable(messages, 'abc'), hasStable(messages, 'def')], [true, false]);
    const begun = user('3', 'prompt', 'ghi');
    Object.assign(begun.parts[0]?.metadata ?? {}, { stable: 'jkl' });
    assert.deepEqual(
      ['jkl', 'ghi'].map((hash) => hasStable(StoredMessages.parse([begun]), hash)),
      [true, false],
    );
  });
});
