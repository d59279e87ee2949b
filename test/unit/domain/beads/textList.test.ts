import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod';
import { Bead, textList } from '../../../../src/domain/beads/bead.ts';
import { BeadId, isBeadId, isRelativePath, RelativePath } from '../../../../src/domain/core/ids.ts';
import { bead } from '../../../support/storeContract/samples.ts';

describe('a list of texts', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('a', '0', '-', '.', '/', '..', '.git', '\n', '\\', '~') }),
    fc.constantFrom('a'.repeat(80), 'a'.repeat(81), 'a'.repeat(1_000), 'a'.repeat(1_001)),
  );
  const values = fc.oneof(
    fc.array(texts),
    fc.array(fc.oneof(texts, fc.jsonValue())),
    fc.jsonValue(),
    fc.constant(undefined),
  );

  for (const [name, element, isFine] of [
    ['bead ids', BeadId, isBeadId],
    ['paths', RelativePath, isRelativePath],
  ] as const)
    it(`accepts and refuses ${name} as z.array does, in the same words`, () => {
      const [ours, theirs] = [
        z.object({ list: textList(element, isFine) }),
        z.object({ list: z.array(element) }),
      ];
      fc.assert(
        fc.property(values, (list) => {
          const [a, b] = [ours.safeParse({ list }), theirs.safeParse({ list })];
          assert.deepEqual(a.data, b.data);
          assert.equal(a.error && z.prettifyError(a.error), b.error && z.prettifyError(b.error));
        }),
        { numRuns: 500 },
      );
    });

  it('names the place in a bead that is wrong', () => {
    const wrong = {
      ...bead('a'),
      testCommands: ['npm test', ''],
      labels: undefined,
      dependencies: { blocked_by: ['B'], blocks: [7] },
    };
    const { error } = Bead.safeParse(wrong);
    const places = error?.issues.map(({ path }) => path.join('.')).toSorted();
    assert.deepEqual(places, [
      'dependencies.blocked_by.0',
      'dependencies.blocks.0',
      'labels',
      'testCommands.1',
    ]);
  });
});
