import assert from 'node:assert/strict';
import { type Cleanable, dueFor } from '../../../../src/domain/core/cleaning.ts';

const day = 86_400_000;
const now = 100 * day;
const one = (ticket: string, days: number, megabytes: number): Cleanable => ({
  ticket,
  kind: 'texts',
  count: 1,
  bytes: megabytes * 1_000_000,
  at: now - days * day,
});
const names = (due: readonly Cleanable[]): readonly (string | null)[] => due.map(({ ticket }) => ticket);

describe('what a cleanup removes', () => {
  const all = [one('ABC-1', 90, 300), one('ABC-2', 60, 300), one('ABC-3', 40, 300), one('ABC-4', 5, 300)];

  it('is what is old enough, and beyond what may stay of the newest', () => {
    assert.deepEqual(names(dueFor(all, { days: 30, megabytes: 900 }, now)), ['ABC-1']);
    assert.deepEqual(names(dueFor(all, { days: 30, megabytes: 500 }, now)), ['ABC-3', 'ABC-2', 'ABC-1']);
    assert.deepEqual(names(dueFor(all, { days: 50, megabytes: 0 }, now)), ['ABC-2', 'ABC-1']);
  });

  it('is never what is young, however large it is', () => {
    assert.deepEqual(names(dueFor([one('ABC-4', 29, 90_000)], { days: 30, megabytes: 1 }, now)), []);
  });
});
