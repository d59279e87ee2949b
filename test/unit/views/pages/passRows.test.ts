import assert from 'node:assert/strict';
import { chained } from '../../../../src/domain/records/records.ts';
import { passRows } from '../../../../src/views/pages/proofDetails.ts';
import { FakeClient } from '../../../support/fakes/fakeClient.ts';

describe('the passes of iterations', () => {
  it('are read from the records of their beads, and everything else there is passed over', async () => {
    const client = new FakeClient();
    const at = '2026-01-02T03:04:05.000Z';
    const place = { bead: 'greet', iteration: 1 };
    const spec = chained(undefined, at, { ...place, kind: 'spec', payload: {} });
    const first = chained(spec, at, {
      ...place,
      kind: 'gate',
      payload: { pass: 1, outcome: 'rejected', min: 1, max: 3, end: null },
    });
    const last = chained(first, 'then', {
      ...place,
      kind: 'gate',
      payload: { pass: 2, outcome: 'passed', min: 1, max: 3, end: 'validated_complete' },
    });
    client.documents.set(
      'bead_records',
      [spec, first, last]
        .map((one) => JSON.stringify(one))
        .join('\n')
        .concat('\n{ broken\n'),
    );
    assert.deepEqual(
      (await passRows(client, 'TST-1')).map(({ bead, pass, max, outcome, end, at: time }) => [
        bead,
        pass,
        max,
        outcome,
        end,
        time,
      ]),
      [
        ['greet', 1, 3, 'rejected', null, at],
        ['greet', 2, 3, 'passed', 'validated_complete', 'then'],
      ],
    );
  });
});
