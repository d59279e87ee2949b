import assert from 'node:assert/strict';
import { askInSteps, type Reply, type Step } from '../../../../src/views/shared/quickInput.ts';

function person(...replies: readonly Reply<string>[]): {
  readonly steps: readonly Step<string>[];
  readonly seen: string[];
} {
  const seen: string[] = [];
  const left = [...replies];
  const ask =
    (name: string): Step<string> =>
    (known, { step, steps, back }) => {
      seen.push(`${name} ${String(step)}/${String(steps)} ${known} ${back ? 'back' : ''}`.trim());
      return Promise.resolve(left.shift() ?? { kind: 'left' });
    };
  return { steps: [ask('a'), ask('b')], seen };
}
const given = (value: string): Reply<string> => ({ kind: 'given', value });

describe('askInSteps', () => {
  it('hands what was said on to the next question', async () => {
    const { steps, seen } = person(given('x'), given('xy'));
    assert.equal(await askInSteps('', steps), 'xy');
    assert.deepEqual(seen, ['a 1/2', 'b 2/2 x back']);
  });

  it('leads back without losing what was said', async () => {
    const { steps, seen } = person(given('x'), { kind: 'back' }, given('z'), given('zy'));
    assert.equal(await askInSteps('', steps), 'zy');
    assert.equal(seen[2], 'a 1/2 x');
  });

  it('ends without a result when the person leaves', async () => {
    const { steps } = person(given('x'), { kind: 'left' });
    assert.equal(await askInSteps('', steps), undefined);
  });
});
