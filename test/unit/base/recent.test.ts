import assert from 'node:assert/strict';
import { Recent } from '../../../src/base/recent.ts';

describe('Recent', () => {
  it('asks once, and again after a failure, a clear, or an answer that is not worth keeping', async () => {
    const recent = new Recent<string>(2, (answer) => answer !== 'poor');
    const asked: string[] = [];
    const of = (question: string, answer = question): Promise<string> =>
      recent.of(question, () => {
        asked.push(question);
        return answer === 'fails' ? Promise.reject(new Error(answer)) : Promise.resolve(answer);
      });
    await of('a');
    await of('a');
    await assert.rejects(of('b', 'fails'));
    await of('b', 'poor');
    await of('b', 'poor');
    recent.clear();
    await of('a');
    assert.deepEqual(asked, ['a', 'b', 'b', 'b', 'a']);
    await of('c');
    await of('d');
    await of('a');
    assert.deepEqual(asked.slice(5), ['c', 'd', 'a'], 'what nobody asked for the longest is forgotten');
  });
});
