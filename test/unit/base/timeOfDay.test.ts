import assert from 'node:assert/strict';
import { readTime } from '../../../src/base/timeOfDay.ts';

describe('readTime', () => {
  const now = new Date(2026, 10, 27, 14, 30, 20).getTime();

  for (const [text, expected] of [
    ['15:00', new Date(2026, 10, 27, 15, 0)],
    [' 9:05 ', new Date(2026, 10, 28, 9, 5)],
    ['14:30', new Date(2026, 10, 28, 14, 30)],
    ['2026-11-30 09:00', new Date(2026, 10, 30, 9, 0)],
    ['2026-11-30T09:00:30Z', new Date('2026-11-30T09:00:30Z')],
    ['2026-11-30 09:00+02:00', new Date('2026-11-30T07:00:00Z')],
  ] as const)
    it(`reads “${text}”`, () => {
      assert.equal(readTime(text, now), expected.getTime());
    });

  for (const text of ['', 'later', '24:00', '12:60', '12', '2026-11-30', '2026-13-30 09:00', '1:2'])
    it(`finds no time in “${text}”`, () => {
      assert.equal(readTime(text, now), undefined);
    });
});
