import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { beadsmith, stateFolder, whatBegins } from '../../support/hostWindow.ts';

describe('activation', () => {
  it('does not happen because a window opens', () => {
    assert.equal(beadsmith().isActive, false);
  });

  it('starts no process, no thread and no connection, and writes nothing', async () => {
    assert.deepEqual(await whatBegins(() => beadsmith().activate()), []);
    assert.equal(beadsmith().isActive, true);
    assert.equal(existsSync(stateFolder()), false);
  });
});
