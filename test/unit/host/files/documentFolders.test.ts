import assert from 'node:assert/strict';
import { childrenOf } from '../../../../src/host/files/documentFiles.ts';

describe('childrenOf', () => {
  const files = ['prd.yaml', 'bead-diff/one.diff', 'bead-diff/two.diff'];

  it('lists what lies directly in a folder', () => {
    assert.deepEqual(
      [...(childrenOf(files, '') ?? [])],
      [
        ['prd.yaml', 'file'],
        ['bead-diff', 'folder'],
      ],
    );
    assert.deepEqual(
      [...(childrenOf(files, 'bead-diff') ?? [])].map(([name]) => name),
      ['one.diff', 'two.diff'],
    );
  });

  it('knows no folder without files', () => {
    assert.equal(childrenOf(files, 'bead'), undefined);
    assert.equal(childrenOf(files, 'prd.yaml'), undefined);
  });
});
