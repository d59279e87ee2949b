import assert from 'node:assert/strict';
import { type CachedCall, cacheReports } from '../../../../src/domain/promptCache/cacheHistory.ts';
import { type Block, sharedPrefix } from '../../../../src/domain/promptCache/prefix.ts';

const minute = 60_000;
const block = (name: string, content = name, tokens = 2_000): Block => ({ name, sha256: content, tokens });
const list = (names: string): Block[] => names.split('').map((name) => block(name));
const frame = [block('tools', 't', 0), block('system', 's', 0)];
const whole = [
  ...frame,
  block('instructions'),
  block('prd'),
  block('bead_data'),
  block('bead_notes'),
  block('iteration'),
];
const call = (id: string, changes: Partial<CachedCall> = {}): CachedCall => ({
  id,
  member: 'openai/gpt',
  directory: '/w',
  prompt: 'coding',
  startedAt: 0,
  endedAt: 0,
  answered: true,
  blocks: whole,
  marks: [2, 5, 7],
  reported: null,
  ...changes,
});
const second = (changes: Partial<CachedCall> = {}, first: Partial<CachedCall> = {}) => {
  const report = cacheReports([
    call('1', first),
    call('2', { startedAt: minute, endedAt: minute, ...changes }),
  ])[1];
  assert.ok(report);
  return report;
};
const changed = (name: string): readonly Block[] =>
  whole.map((one) => (one.name === name ? { ...one, sha256: 'new' } : one));

describe('what two prompts share', () => {
  it('AT-3: is their beginning: what is equal again behind a difference does not count', () => {
    const { hits, culprit } = sharedPrefix(list('abcd'), list('abxd'));
    assert.deepEqual([hits, culprit], [2, 'x']);
    assert.deepEqual(
      [sharedPrefix(list('abc'), list('ac')).hits, sharedPrefix(list('abc'), list('ac')).kind],
      [1, 'slice-removed'],
    );
    assert.equal(sharedPrefix(list('abc'), list('acb')).kind, 'slice-moved');
    assert.equal(sharedPrefix(list('ab'), list('axb')).kind, 'slice-added');
    assert.deepEqual(
      [sharedPrefix(list('ab'), list('abc')).hits, sharedPrefix(list('ab'), list('abc')).kind],
      [2, 'none'],
    );
  });
});

describe('what a cache should have known of a call', () => {
  it('AT-2: is all up to a part that changes with each call', () => {
    const { predicted, blocks } = second({ blocks: changed('iteration') });
    assert.deepEqual(predicted.kind, 'content-changed');
    assert.equal(predicted.culprit, 'iteration');
    assert.deepEqual(
      blocks.map((one) => one.predicted),
      ['hit', 'hit', 'hit', 'hit', 'hit', 'partial', 'miss'],
      'in steps of 128 tokens',
    );
  });

  it('AT-2: ends at a part that should have stayed, with what stands before and behind it', () => {
    const { predicted } = second({ blocks: changed('prd') });
    assert.deepEqual(
      [predicted.kind, predicted.culprit, predicted.culpritTokens, predicted.after],
      ['content-changed', 'prd', 2_000, 6_000],
    );
    assert.equal(predicted.tokens, 1_920);
  });

  it('AT-5: lives five minutes from its last use', () => {
    assert.ok((second({ startedAt: 5 * minute - 1_000 }).predicted.tokens ?? 0) > 0);
    const late = second({ startedAt: 5 * minute + 1_000 });
    assert.deepEqual([late.predicted.tokens, late.predicted.kind], [0, 'ttl-expired']);
    const used = cacheReports(
      [4, 8].reduce(
        (calls, at) => [...calls, call(String(at), { startedAt: at * minute, endedAt: at * minute })],
        [call('0')],
      ),
    );
    assert.ok((used[2]?.predicted.tokens ?? 0) > 0, 'the second call has refreshed it');
  });

  it('AT-6: is nothing once tools or system text differ', () => {
    for (const [name, kind] of [
      ['tools', 'tools-changed'],
      ['system', 'system-changed'],
    ] as const) {
      const { predicted, blocks } = second({ blocks: changed(name) });
      assert.deepEqual([predicted.tokens, predicted.kind], [0, kind]);
      assert.deepEqual([...new Set(blocks.slice(2).map((one) => one.predicted))], ['miss']);
    }
  });

  it('AT-7: and what the provider says of it stand apart, and misses in a row are counted', () => {
    const calls = [0, 1, 2, 3].map((at) =>
      call(String(at), {
        startedAt: at * 1_000,
        endedAt: at * 1_000,
        reported: { prompt: 12_000, cacheRead: 0 },
      }),
    );
    const reports = cacheReports(calls);
    assert.deepEqual(
      reports.map(({ isProviderMiss, providerMisses }) => [isProviderMiss, providerMisses]),
      [
        [false, 0],
        [true, 1],
        [true, 2],
        [true, 3],
      ],
    );
    assert.deepEqual(
      [...new Set(reports[3]?.blocks.map((one) => one.reported))],
      ['miss'],
      'no tick for a prediction',
    );
  });

  it('lays what a cache gave over the parts from the front, behind what nobody counted', () => {
    const { blocks } = second({ reported: { prompt: 11_000, cacheRead: 4_000 } });
    assert.deepEqual(
      blocks.map((one) => one.reported),
      ['hit', 'hit', 'hit', 'partial', 'miss', 'miss', 'miss'],
    );
  });

  it('is not known of a provider that nobody knows, and a dash is no miss', () => {
    const { predicted, blocks, isProviderMiss } = second(
      { member: 'local/llama', reported: { prompt: 9, cacheRead: 0 } },
      { member: 'local/llama' },
    );
    assert.deepEqual([predicted.tokens, predicted.kind, isProviderMiss], [null, 'unknown', false]);
    assert.equal(blocks[0]?.predicted, 'unknown');
  });

  it('is nothing of a first call, of another model, of another directory, of an unanswered call, and of one that is still at work', () => {
    assert.equal(cacheReports([call('1')])[0]?.predicted.kind, 'first-call');
    assert.equal(second({ member: 'openai/other' }).predicted.kind, 'model-changed');
    assert.equal(second({ directory: '/other' }).predicted.kind, 'first-call');
    assert.equal(second({}, { answered: false }).predicted.tokens, 0);
    assert.equal(second({}, { endedAt: 2 * minute }).predicted.tokens, 0);
  });

  it('is nothing below what the provider keeps at least', () => {
    const small = [...frame, block('instructions', 'i', 900), block('iteration', 'one', 100)];
    const { predicted } = second(
      { blocks: [...small.slice(0, 3), block('iteration', 'two', 100)] },
      { blocks: small },
    );
    assert.deepEqual([predicted.tokens, predicted.kind], [0, 'too-short']);
  });

  it('ends at a mark, where a provider keeps nothing else: what is the same behind it was not kept', () => {
    const claude = { member: 'anthropic/claude-sonnet-4-5' };
    const { predicted, blocks } = second({ ...claude, blocks: changed('iteration') }, claude);
    assert.deepEqual(
      [predicted.tokens, predicted.kind, predicted.culprit],
      [6_000, 'content-changed', 'iteration'],
    );
    assert.deepEqual(
      blocks.slice(4).map((one) => one.predicted),
      ['hit', 'miss', 'miss'],
      'the notes are equal, and stand behind the mark',
    );
    assert.equal(second(claude, claude).predicted.tokens, 10_000, 'a whole prompt ends at a mark');
    assert.equal(second({ ...claude, blocks: changed('prd') }, claude).predicted.tokens, 0);
    assert.equal(
      second({ blocks: changed('iteration') }).predicted.tokens,
      7_936,
      'one that keeps every beginning',
    );
  });

  it('is compared with the best of the earlier calls, not only with the last', () => {
    const other = [...frame, block('instructions', 'of another task')];
    const reports = cacheReports([
      call('1'),
      call('2', { startedAt: 1_000, endedAt: 1_000, blocks: other }),
      call('3', { startedAt: 2_000, endedAt: 2_000 }),
    ]);
    assert.equal(reports[2]?.predicted.basis, '1');
  });
});
