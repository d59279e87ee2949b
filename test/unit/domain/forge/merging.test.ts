import assert from 'node:assert/strict';
import type { ForgeState } from '../../../../src/domain/forge/forgeLook.ts';
import { lookLine } from '../../../../src/domain/forge/forgeLook.ts';
import { queueNews } from '../../../../src/domain/forge/forgeNews.ts';
import { type Merging, offeredKinds } from '../../../../src/domain/forge/merging.ts';
import { forgeState } from '../../../support/forge/forgeState.ts';

const plain: Merging = {
  kinds: ['merge', 'squash'],
  usual: null,
  mayAuto: true,
  auto: null,
  hasQueue: false,
  isQueued: false,
};
const look = (merging: Partial<Merging> | null): ForgeState => ({
  ...forgeState(),
  merging: merging && { ...plain, ...merging },
});

describe('a merge on the forge', () => {
  it('offers the kinds that are allowed, first what the forge offers first, then what the ticket says', () => {
    assert.deepEqual(offeredKinds({ ...plain, usual: 'squash' }), ['squash', 'merge']);
    assert.deepEqual(offeredKinds(plain, true), ['squash', 'merge']);
    assert.deepEqual(offeredKinds({ kinds: ['rebase'], usual: 'merge' }, true), ['rebase']);
    assert.deepEqual(offeredKinds({ kinds: [], usual: 'merge' }), []);
  });

  it('is shown while it is planned', () => {
    assert.equal(lookLine(look(null)), '#7 open');
    assert.equal(lookLine(look({ auto: 'squash' })), '#7 open, merges when ready (squash)');
    assert.equal(
      lookLine(look({ auto: 'merge', hasQueue: true })),
      '#7 open, joins the merge queue when ready',
    );
    assert.equal(lookLine(look({ hasQueue: true, isQueued: true })), '#7 open, in the merge queue');
  });

  it('is news when the queue took it out, until something else is decided or pushed', () => {
    const queued = look({ isQueued: true });
    const out = look({});
    const news = queueNews(out, queued);
    assert.equal(news?.code, 'FORGE_UNQUEUED');
    const told = {
      ...out,
      news: { code: 'FORGE_UNQUEUED' as const, args: {}, diagnostics: {} },
    } as ForgeState;
    assert.equal(queueNews(out, told)?.code, 'FORGE_UNQUEUED');
    assert.equal(queueNews(look(null), told)?.code, 'FORGE_UNQUEUED', 'it is said while nobody knows better');
    assert.equal(queueNews(look(null), queued), undefined, 'nobody knows whether it left');
    assert.equal(queueNews(queued, told), undefined);
    assert.equal(queueNews(look({ auto: 'merge' }), told), undefined);
    assert.equal(queueNews({ ...out, head: { ...out.head, commit: 'd'.repeat(40) } }, told), undefined);
    assert.equal(queueNews(out, undefined), undefined);
  });
});
