import assert from 'node:assert/strict';
import { OpenPages } from '../../../../src/views/pages/pagePanel.ts';

const place = { root: '/a', ticket: 'ABC-1' };
const always = (): boolean => true;

describe('pages that are open', () => {
  let kept: Map<string, unknown>;
  /** What a window that opens later knows. */
  const pages = (): OpenPages =>
    new OpenPages({
      get: (key) => kept.get(key),
      set: (key, value) => Promise.resolve(void kept.set(key, JSON.parse(JSON.stringify(value)))),
    });

  beforeEach(() => {
    kept = new Map();
  });

  it('are known to the window that comes after, until they are closed', async () => {
    await pages().add(place);
    assert.deepEqual(pages().find(always), place);
    await pages().remove(place);
    assert.equal(pages().find(always), undefined);
  });

  it('are told apart by repository and ticket, each once', async () => {
    await pages().add(place);
    await pages().add({ root: '/b', ticket: 'ABC-1' });
    await pages().add(place);
    await pages().remove(place);
    assert.deepEqual(pages().find(({ ticket }) => ticket === 'ABC-1')?.root, '/b');
  });

  it('are few, the newest', async () => {
    for (let number = 1; number <= 60; number++)
      await pages().add({ root: '/a', ticket: `ABC-${String(number)}` });
    assert.equal(
      pages().find(({ ticket }) => ticket === 'ABC-10'),
      undefined,
    );
    assert.ok(pages().find(({ ticket }) => ticket === 'ABC-11'));
  });

  it('are known where an earlier version kept which kind of page it was', () => {
    kept.set('pages.open', [{ name: 'approval', ...place }]);
    assert.deepEqual(pages().find(always), place);
  });

  it('are none where something else was kept', () => {
    kept.set('pages.open', { from: 'another version' });
    assert.equal(pages().find(always), undefined);
  });
});
