import assert from 'node:assert/strict';
import { dayOf, startOfDay, startOfNextDay } from '../../../src/base/days.ts';

describe('days of this machine', () => {
  it('begin at midnight, and each time belongs to one', () => {
    const noon = new Date(2026, 1, 28, 12, 30).getTime();
    assert.equal(startOfDay(noon), new Date(2026, 1, 28).getTime());
    assert.equal(startOfNextDay(noon), new Date(2026, 2, 1).getTime());
    assert.equal(startOfDay(startOfNextDay(noon)), startOfNextDay(noon));
    assert.equal(dayOf(startOfNextDay(noon) - 1), '2026-02-28');
    assert.equal(dayOf(startOfNextDay(noon)), '2026-03-01');
  });
});
