import assert from 'node:assert/strict';
import { inOrder, stagesOf } from '../../../../src/app/runner/fleet.ts';

describe('a fleet', () => {
  it('has the runners at work before those that are gone, of which the last seen comes first', () => {
    const row = (id: string, silent: boolean, seen_at: number) => ({ id, silent, seen_at });
    const rows = [row('old', true, 1), row('leads', false, 9), row('late', true, 5), row('new', false, 8)];
    assert.deepEqual(
      inOrder(rows).map(({ id }) => id),
      ['leads', 'new', 'late', 'old'],
    );
  });

  it('counts tickets in the order of the work, not of the list', () => {
    const view = (status: 'COMPLETED' | 'CODING' | 'DRAFT', label: string) => ({ status, label });
    const views = [view('COMPLETED', 'Completed'), view('CODING', 'Coding'), view('DRAFT', 'Draft')];
    assert.deepEqual(stagesOf([...views, view('CODING', 'Coding')]), [
      { label: 'Draft', tickets: 1 },
      { label: 'Coding', tickets: 2 },
      { label: 'Completed', tickets: 1 },
    ]);
  });
});
