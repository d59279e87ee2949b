import assert from 'node:assert/strict';
import { untilItHelps } from '../../demo/editorWindow.ts';

describe('an editor that still starts', () => {
  it('is asked again until that helps', async () => {
    let acts = 0;
    await untilItHelps(
      async () => {
        acts++;
      },
      async () => assert.equal(acts, 3),
    );
    assert.equal(acts, 3);
  });

  it('fails as the last try did', async () => {
    let acts = 0;
    const act = async (): Promise<void> => {
      acts++;
    };
    await assert.rejects(
      untilItHelps(act, () => Promise.reject(new Error(`try ${String(acts)}`)), 2),
      /try 2/,
    );
  });
});
