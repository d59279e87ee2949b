import assert from 'node:assert/strict';
import { blobScheme } from '../../../../src/protocol/schemes.ts';
import { blobAddress, parseBlobAddress } from '../../../../src/views/review/blobAddress.ts';

const commit = 'a'.repeat(40);
const blob = {
  ticket: 'ABC-1',
  path: 'src/a b.ts',
  commit,
  side: 'new',
  scope: { kind: 'iteration', bead: 'add-a', iteration: 2 },
} as const;

describe('the address of one side of a diff', () => {
  it('says all that is needed to show it again', () => {
    for (const scope of [blob.scope, { kind: 'ticket' }, { kind: 'bead', bead: 'add-a' }] as const)
      for (const side of ['old', 'new'] as const) {
        const address = blobAddress('/home/me/thing', {
          ...blob,
          scope,
          side,
          commit: side === 'old' ? null : commit,
        });
        const { repository, ...rest } = parseBlobAddress(address) ?? {};
        assert.deepEqual(rest, { ...blob, scope, side, commit: side === 'old' ? null : commit });
        assert.match(repository ?? '', /^thing-[0-9a-f]{8}$/);
      }
  });

  it('is refused when it names anything else', () => {
    const good = blobAddress('/home/me/thing', blob);
    const query = (parts: object): string => JSON.stringify({ commit, side: 'new', ...parts });
    for (const bad of [
      { ...good, scheme: 'file' },
      { ...good, authority: '' },
      { ...good, path: '/ABC-1/../secret' },
      { ...good, path: '/ABC-1/.git/config' },
      { ...good, path: '/nothing/a.ts' },
      { ...good, query: '' },
      { ...good, query: query({ commit: '--output=x' }) },
      { ...good, query: query({ commit: 'HEAD' }) },
      { ...good, query: query({ side: 'third' }) },
      { ...good, query: query({ iteration: 1 }) },
      { ...good, query: query({ more: true }) },
    ])
      assert.equal(parseBlobAddress(bad), undefined, JSON.stringify(bad));
    assert.equal(good.scheme, blobScheme);
  });
});
