import assert from 'node:assert/strict';
import { carelessAnswers, carelessReport } from '../../../../support/answers/carelessCorpus.ts';

describe('careless answers', () => {
  it('are read at once where a person would read them, and never taken for something else', function () {
    this.timeout(60_000);
    const { cases, readable, readAtOnce, table, wronglyAccepted, unread } = carelessReport(carelessAnswers());
    assert.ok(cases >= 300, table);
    assert.deepEqual(wronglyAccepted, [], table);
    assert.ok(readAtOnce >= 0.95 * readable, [table, ...unread].join('\n'));
  });
});
