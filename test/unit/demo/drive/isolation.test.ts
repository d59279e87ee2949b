import assert from 'node:assert/strict';
import { privateLines } from '../../../../src/demo/drive/checkParty.ts';

describe('the strings that only a developer’s session has', () => {
  const session = {
    told: [
      'I gave that up after hours of dead ends.\nexport const shared = "in a commit";',
      'short',
      'error: one of three tests failed',
    ],
  };

  it('are its lines that are long enough to be nobody else’s, once each', () => {
    assert.deepEqual(privateLines([session, session], ''), [
      'I gave that up after hours of dead ends.',
      'export const shared = "in a commit";',
      'error: one of three tests failed',
    ]);
  });

  it('are none that can be read in a commit or a record', () => {
    assert.deepEqual(privateLines([session], '+export const shared = "in a commit";'), [
      'I gave that up after hours of dead ends.',
      'error: one of three tests failed',
    ]);
  });
});
