import assert from 'node:assert/strict';
import { beadRecordsDocument } from '../../../../src/domain/documents/beadRecords.ts';
import { type BeadRecord, brokenAt, chained } from '../../../../src/domain/records/records.ts';

describe('bead records', () => {
  const chain = (): BeadRecord[] => {
    const records: BeadRecord[] = [];
    for (const text of ['one', 'two', 'three'])
      records.push(
        chained(records.at(-1), '2026-01-01T00:00:00.000Z', {
          bead: 'greet',
          iteration: 1,
          kind: 'dev',
          payload: { text },
        }),
      );
    return records;
  };

  it('are linked, and hold when they were stored and read', () => {
    const read = JSON.parse(JSON.stringify(chain())) as BeadRecord[];
    assert.deepEqual([read.map(({ seq }) => seq), brokenAt(read)], [[1, 2, 3], undefined]);
    assert.equal(read[1]?.prevHash, read[0]?.hash);
  });

  it('say which entry is wrong when one was changed, removed or put elsewhere', () => {
    const [one, two, three] = chain() as [BeadRecord, BeadRecord, BeadRecord];
    const changed = [one, { ...two, payload: { text: 'other' } }, three];
    assert.equal(brokenAt(changed), 2);
    assert.equal(brokenAt([one, three]), 2);
    assert.equal(brokenAt([two, one, three]), 1);
    assert.equal(brokenAt([two, three]), 1);
    assert.deepEqual(
      beadRecordsDocument.problems(changed).map(({ path }) => path),
      [[1]],
    );
    assert.deepEqual(beadRecordsDocument.problems(chain()), []);
  });
});
