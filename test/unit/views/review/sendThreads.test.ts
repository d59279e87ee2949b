import assert from 'node:assert/strict';
import type { ReviewThread } from '../../../../src/domain/findings/reviewThread.ts';
import { requestOf, sendThreads } from '../../../../src/views/review/commentActions.ts';
import { FakeClient } from '../../../support/fakes/fakeClient.ts';
import { sampleThread } from '../../../support/samples.ts';

function thread(
  id: string,
  texts: readonly { readonly text: string; readonly sent?: string }[],
): ReviewThread {
  const comments = texts.map(({ text, sent }, index) => ({
    id: `${id}-${String(index)}`,
    text,
    author: 'user',
    at: 1,
    sent: sent ?? null,
  }));
  return sampleThread({ id, bead: 'add-a', text: 'one\n  two', comments });
}

describe('sending threads to the agents', () => {
  it('tells what is new, where, and which lines it is about', () => {
    const request = requestOf(
      thread('t', [{ text: 'Old.', sent: 'e' }, { text: 'Why?' }, { text: 'Better not.' }]),
    );
    assert.deepEqual(request, {
      text: 'Why?\n\nBetter not.\n\nIt is about these lines:\n> one\n>   two',
      bead: 'add-a',
      file: 'src/a.ts',
      line: 3,
    });
  });

  it('sends drafts once, as one request, and marks them', async () => {
    const client = new FakeClient();
    for (const one of [
      thread('t1', [{ text: 'Why?' }]),
      thread('t2', [{ text: 'Louder.' }]),
      thread('t3', [{ text: 'Sent.', sent: 'e' }]),
      { ...thread('t4', [{ text: 'Never mind.' }]), resolved: true },
    ])
      await client.comments.save(one);
    assert.equal(await sendThreads(client, 'TST-1', client.comments.stored), 2);
    assert.equal(client.sent.length, 1);
    const { kind, body } = client.sent[0] ?? {};
    assert.equal(kind, 'changes');
    assert.deepEqual(
      (body as { items: { text: string }[] }).items.map(({ text }) => text.split('\n')[0]),
      ['Why?', 'Louder.'],
    );
    assert.equal(await sendThreads(client, 'TST-1', client.comments.stored), 0);
    assert.equal(client.sent.length, 1);
    assert.equal(
      client.comments.stored.find(({ id }) => id === 't4')?.comments[0]?.sent,
      null,
      'what is resolved stays here',
    );
  });

  it('files a request under the same id when it was cut off before it was marked', async () => {
    const client = new FakeClient();
    const ids: (string | undefined)[] = [];
    client.act = (_ticket, _kind, _body, id) => Promise.resolve({ id: (ids.push(id), id ?? '') });
    client.comments.save = () => Promise.reject(new Error('killed'));
    const threads = [thread('t1', [{ text: 'Why?' }])];
    for (let tries = 0; tries < 2; tries++) await assert.rejects(sendThreads(client, 'TST-1', threads));
    assert.equal(new Set(ids).size, 1);
    assert.match(ids[0] ?? '', /^review-[0-9a-f]{24}$/);
  });

  it('sends many in parts of what one request may hold', async () => {
    const client = new FakeClient();
    const threads = Array.from({ length: 60 }, (_, index) => thread(`t${String(index)}`, [{ text: 'Why?' }]));
    assert.equal(await sendThreads(client, 'TST-1', threads), 60);
    assert.deepEqual(
      client.sent.map(({ body }) => (body as { items: unknown[] }).items.length),
      [50, 10],
    );
  });
});
