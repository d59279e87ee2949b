import assert from 'node:assert/strict';
import { MarkCache } from '../../support/models/promptCaches.ts';
import { chatOf, MessagesRequest } from '../../support/models/messagesApi.ts';

const ephemeral = { cache_control: { type: 'ephemeral' } };
const block = (letter: string, tokens: number, isMarked = false) => ({
  type: 'text',
  text: letter.repeat(tokens * 4),
  ...(isMarked ? ephemeral : {}),
});
const request = (...content: readonly unknown[]) =>
  MessagesRequest.parse({ model: 'claude', messages: [{ role: 'user', content }] });

describe('a cache of what stands before marks', () => {
  it('gives what an earlier request had before a mark, and keeps what is new before the last one', () => {
    const cache = new MarkCache();
    assert.deepEqual(cache.read(request(block('a', 2_000, true), block('b', 100, true)), 0), {
      read: 0,
      written: 2_100,
    });
    assert.deepEqual(cache.read(request(block('a', 2_000, true), block('c', 100, true)), 1), {
      read: 2_000,
      written: 100,
    });
  });

  it('gives nothing of a block that was the same but had no mark', () => {
    const cache = new MarkCache();
    cache.read(request(block('a', 2_000), block('b', 100, true)), 0);
    assert.equal(cache.read(request(block('a', 2_000), block('c', 100, true)), 1).read, 0);
  });

  it('keeps nothing short, and forgets five minutes after the last use', () => {
    const cache = new MarkCache();
    assert.deepEqual(cache.read(request(block('a', 1_023, true)), 0), { read: 0, written: 0 });
    const long = request(block('a', 1_024, true));
    assert.equal(cache.read(long, 0).written, 1_024);
    assert.equal(cache.read(long, 300_000).read, 1_024);
    assert.equal(cache.read(long, 600_000).read, 1_024, 'it was used meanwhile');
    assert.equal(cache.read(long, 900_001).read, 0);
  });

  it('looks 20 blocks back from a mark, and takes four marks at most', () => {
    const cache = new MarkCache();
    const others = (count: number) => Array.from({ length: count }, (_, at) => block('o', at + 1));
    cache.read(request(block('a', 2_000, true)), 0);
    assert.equal(cache.read(request(block('a', 2_000), ...others(19), block('z', 1, true)), 1).read, 2_000);
    assert.equal(cache.read(request(block('a', 2_000), ...others(21), block('z', 1, true)), 2).read, 0);
    assert.throws(
      () => cache.read(request(...Array.from({ length: 5 }, () => block('a', 1, true))), 3),
      /maximum of 4/,
    );
  });
});

describe('a request to the messages API', () => {
  it('reads as the same chat', () => {
    const { messages, tools } = chatOf(
      MessagesRequest.parse({
        model: 'claude',
        system: [{ type: 'text', text: 'You read.', ...ephemeral }],
        messages: [
          { role: 'user', content: 'Read it.' },
          {
            role: 'assistant',
            content: [{ type: 'tool_use', id: 't1', name: 'read', input: { path: 'a' } }],
          },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'A' }] }],
          },
        ],
        tools: [{ name: 'read', input_schema: {} }],
      }),
    );
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['system', 'user', 'assistant', 'tool'],
    );
    assert.deepEqual(messages[2]?.tool_calls, [
      { id: 't1', function: { name: 'read', arguments: '{"path":"a"}' } },
    ]);
    assert.equal(messages[3]?.tool_call_id, 't1');
    assert.deepEqual(tools, [{ function: { name: 'read' } }]);
  });
});
