import assert from 'node:assert/strict';
import { viewedFiles } from '../../../support/fakes/viewedFiles.ts';

describe('viewed files', () => {
  const place = { root: '/sample', ticket: 'TST-1' };
  const file = { path: 'src/a b.ts', blob: 'a'.repeat(40) };

  it('are those of a bead as they were, until they change or are unmarked, in each window', async () => {
    const kept = new Map<string, unknown>();
    const viewed = viewedFiles(kept);
    const told: unknown[] = [];
    viewed.onDidChange((changed) => told.push(changed));
    await viewed.mark(place, 'greet', file, true);
    for (const known of [viewed, viewedFiles(kept)]) {
      const own = known.of(place);
      assert.deepEqual(
        [own.has('greet', file), own.hasAny('greet'), own.has('leave', file), own.hasAny('leave')],
        [true, true, false, false],
      );
      assert.equal(own.has('greet', { ...file, blob: 'b'.repeat(40) }), false);
      assert.equal(known.of({ ...place, ticket: 'TST-2' }).hasAny('greet'), false);
    }
    await viewed.mark(place, 'greet', file, false);
    assert.deepEqual([viewed.of(place).hasAny('greet'), told.length], [false, 2]);
  });

  it('are kept of a limited number of tickets', async () => {
    const viewed = viewedFiles();
    for (let at = 0; at < 205; at += 1)
      await viewed.mark({ ...place, ticket: `TST-${String(at)}` }, 'greet', file, true);
    const has = (ticket: string): boolean => viewed.of({ ...place, ticket }).hasAny('greet');
    assert.deepEqual([has('TST-4'), has('TST-5'), has('TST-204')], [false, true, true]);
  });

  it('are none where another version kept something else', () => {
    assert.equal(
      viewedFiles(new Map([['review.viewed', { x: 1 }]]))
        .of(place)
        .hasAny('greet'),
      false,
    );
  });
});
