import assert from 'node:assert/strict';
import { internalsIn } from '../../support/editor/internals.ts';

describe('words of the inside', () => {
  it('are hashes, constants and paths of a machine', () => {
    assert.deepEqual(internalsIn('at 1f2e3d4 in WAITING_PRD_APPROVAL, see /tmp/x/y.md and /home/me/z'), [
      '1f2e3d4',
      'WAITING_PRD_APPROVAL',
      '/tmp/x/y.md',
      '/home/me/z',
    ]);
  });

  it('are neither figures nor words nor names of files', () => {
    const fine = '1,234,567 tokens, 20261128, defaced, src/a1b2c3d.ts, README, US-1-1, docs/tmp/a, exit 0';
    assert.deepEqual(internalsIn(fine), []);
  });
});
