import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Bead } from '../../../../src/domain/beads/bead.ts';
import { graphErrors, withInverseEdges } from '../../../../src/domain/beads/beadPlan.ts';
import {
  addBlocker,
  byPriority,
  moveBead,
  partId,
  removeBead,
  removeBlocker,
  splitBead,
  workOrder,
} from '../../../../src/domain/beads/editPlan.ts';
import { bead } from '../../../support/storeContract/samples.ts';

describe('editing a plan', () => {
  const chain = plan({ a: [], b: ['a'], c: ['b'] });

  it('lets a bead wait for another one, in both directions', () => {
    const result = addBlocker(chain, 'c', 'a');
    assert.ok(result.ok);
    assert.deepEqual(edges(result.value), { a: [], b: ['a'], c: ['b', 'a'] });
    assert.deepEqual(graphErrors(result.value), []);
  });

  it('refuses an edge that would close a circle, and says which', () => {
    assert.deepEqual(addBlocker(chain, 'a', 'c'), {
      ok: false,
      error: { kind: 'circle', path: ['a', 'c', 'b', 'a'] },
    });
    assert.deepEqual(addBlocker(chain, 'a', 'b'), {
      ok: false,
      error: { kind: 'circle', path: ['a', 'b', 'a'] },
    });
  });

  it('refuses edges to itself, to nobody, and those that are there', () => {
    assert.deepEqual(addBlocker(chain, 'a', 'a'), { ok: false, error: { kind: 'self', bead: 'a' } });
    assert.deepEqual(addBlocker(chain, 'a', 'ghost'), {
      ok: false,
      error: { kind: 'unknown', bead: 'ghost' },
    });
    assert.deepEqual(addBlocker(chain, 'b', 'a'), { ok: false, error: { kind: 'known', bead: 'a' } });
  });

  it('never accepts an edge the engine would refuse', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const pair = fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids));
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 25 }), (pairs) => {
        let beads: readonly Bead[] = plan(Object.fromEntries(ids.map((id) => [id, []])));
        for (const [id, blocker] of pairs) {
          const result = addBlocker(beads, id, blocker);
          if (result.ok) beads = result.value;
        }
        assert.deepEqual(graphErrors(beads), []);
        assert.equal(workOrder(beads).length, ids.length);
      }),
    );
  });

  it('takes an edge away from both ends', () => {
    assert.deepEqual(edges(removeBlocker(chain, 'b', 'a')), { a: [], b: [], c: ['b'] });
    assert.deepEqual(removeBlocker(chain, 'b', 'a')[0]?.dependencies.blocks, []);
  });

  it('moves a bead and renumbers the priorities, but never past an end', () => {
    assert.deepEqual(priorities(moveBead(chain, 'c', -1)), { a: 1, c: 2, b: 3 });
    assert.deepEqual(priorities(moveBead(chain, 'a', 99)), { b: 1, c: 2, a: 3 });
    assert.deepEqual(priorities(moveBead(chain, 'a', -1)), { a: 1, b: 2, c: 3 });
  });

  it('works on beads by priority, but never before what they wait for', () => {
    assert.deepEqual(workOrder(moveBead(chain, 'c', -2)), ['a', 'b', 'c']);
    assert.deepEqual(workOrder(moveBead(plan({ a: [], b: [], c: [] }), 'c', -2)), ['c', 'a', 'b']);
    assert.deepEqual(workOrder(chain.map((one) => ({ ...one, status: 'done' }))), ['a', 'b', 'c']);
  });

  it('makes two beads of one, each with its part, and keeps all beads waiting for the whole', () => {
    const whole = chain.map((one) =>
      one.id === 'b' ? { ...one, acceptanceCriteria: ['x', 'y'], tests: ['p', 'q'] } : one,
    );
    const result = splitBead(whole, 'b', { id: 'b-2', title: 'Second', acceptanceCriteria: [1], tests: [0] });
    assert.ok(result.ok);
    assert.deepEqual(edges(result.value), { a: [], b: ['a'], 'b-2': ['b'], c: ['b-2'] });
    assert.deepEqual(priorities(result.value), { a: 1, b: 2, 'b-2': 3, c: 4 });
    const [first, second] = [result.value[1], result.value[2]];
    assert.deepEqual([first?.acceptanceCriteria, second?.acceptanceCriteria], [['x'], ['y']]);
    assert.deepEqual([first?.tests, second?.tests], [['q'], ['p']]);
    assert.deepEqual(
      [second?.title, second?.targetFiles, second?.testCommands],
      ['Second', first?.targetFiles, first?.testCommands],
    );
    assert.deepEqual(graphErrors(result.value), []);
  });

  it('refuses a second part without a good id of its own', () => {
    const part = { title: 'Second', acceptanceCriteria: [], tests: [] };
    assert.deepEqual(splitBead(chain, 'b', { ...part, id: 'No Id' }), {
      ok: false,
      error: { kind: 'badId', bead: 'No Id' },
    });
    assert.deepEqual(splitBead(chain, 'b', { ...part, id: 'c' }), {
      ok: false,
      error: { kind: 'taken', bead: 'c' },
    });
    assert.equal(partId(chain, 'b'), 'b-2');
    assert.equal(partId(plan({ b: [], 'b-2': [] }), 'b'), 'b-3');
    assert.equal(partId([], 'x'.repeat(80)).length, 80);
  });

  it('takes a bead out, and lets what waited for it wait for what it waited for', () => {
    const result = removeBead(chain, 'b');
    assert.ok(result.ok);
    assert.deepEqual(edges(result.value), { a: [], c: ['a'] });
    assert.deepEqual(graphErrors(result.value), []);
    assert.deepEqual(removeBead(plan({ a: [] }), 'a'), { ok: false, error: { kind: 'last', bead: 'a' } });
  });

  it('lists beads by priority, equal ones as they stand', () => {
    const same = chain.map((one) => ({ ...one, priority: one.id === 'c' ? 0 : 1 }));
    assert.deepEqual(
      byPriority(same).map(({ id }) => id),
      ['c', 'a', 'b'],
    );
  });
});

function plan(blockedBy: Readonly<Record<string, readonly string[]>>): Bead[] {
  const beads = Object.entries(blockedBy).map(([id, ids], index) => ({
    ...bead(id),
    priority: index + 1,
    dependencies: { blocked_by: [...ids], blocks: [] },
  }));
  return withInverseEdges(beads);
}

function edges(beads: readonly Bead[]): Record<string, readonly string[]> {
  return Object.fromEntries(beads.map(({ id, dependencies }) => [id, dependencies.blocked_by]));
}

function priorities(beads: readonly Bead[]): Record<string, number> {
  return Object.fromEntries(beads.map(({ id, priority }) => [id, priority]));
}
