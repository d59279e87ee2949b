import assert from 'node:assert/strict';
import { until, untilItHelps } from '../../support/until.ts';

describe('waiting in tests', () => {
  it('answers what was found, also when that is 0 or an empty text', async () => {
    const answers = [undefined, null, false, 0];
    assert.equal(await until(() => answers.shift(), 'something is there'), 0);
    assert.equal(await until(async () => '', 'something is there'), '');
  });

  it('fails with what was awaited', async () => {
    await assert.rejects(
      until(() => false, 'the moon is blue', 10),
      /in vain until the moon is blue/,
    );
  });

  it('acts again until that helps', async () => {
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
