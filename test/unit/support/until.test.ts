import assert from 'node:assert/strict';
import { until } from '../../support/until.ts';

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
});
