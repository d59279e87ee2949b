import assert from 'node:assert/strict';
import type { Bead } from '../../../../src/domain/beads/bead.ts';
import { graphErrors, withInverseEdges, getNextBead } from '../../../../src/domain/beads/beadPlan.ts';
import { bead } from '../../../support/storeContract/samples.ts';

describe('the graph of a plan', () => {
  it('is fine when every bead waits for beads that exist, above or below it', () => {
    assert.deepEqual(graphErrors(plan({ a: [], b: ['a'], c: ['a', 'b'] })), []);
    assert.deepEqual(graphErrors(plan({ c: ['a', 'b'], b: ['a'], a: [] })), []);
  });

  it('may not go in a circle, wherever the circle lies', () => {
    assert.match(
      graphErrors(plan({ x: [], a: ['c'], b: ['a'], c: ['b'] })).join('\n'),
      /in a circle: .*a.*→/,
    );
    assert.match(graphErrors(plan({ a: ['b'], b: ['a'], c: [] })).join('\n'), /in a circle/);
    assert.match(
      graphErrors(plan({ a: [], b: ['b'] })).join('\n'),
      /b is blocked by itself[\s\S]*in a circle: b → b/,
    );
  });

  it('names what is missing, repeated, or said in one direction only', () => {
    assert.match(graphErrors(plan({ a: ['ghost'] })).join('\n'), /blocked by ghost, which doesn't exist/);
    assert.match(graphErrors([...plan({ a: [] }), ...plan({ a: [] })]).join('\n'), /unique: a repeated/);
    const [a, b] = plan({ a: [], b: ['a'] });
    assert.ok(a && b);
    assert.deepEqual(graphErrors([{ ...a, dependencies: { blocked_by: [], blocks: [] } }, b]), [
      `b is blocked by a, but a doesn't list it in "blocks".`,
    ]);
    assert.deepEqual(graphErrors([a, { ...b, dependencies: { blocked_by: [], blocks: [] } }]), [
      `a blocks b, but b isn't blocked by it.`,
    ]);
  });

  it('can be ten thousand beads long', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => `bead-${String(index)}`);
    const chain = plan(Object.fromEntries(ids.map((id, index) => [id, ids.slice(index + 1, index + 2)])));
    assert.deepEqual(graphErrors(chain), []);
    assert.equal(getNextBead(chain)?.id, 'bead-9999');
  });
});

function plan(blockedBy: Readonly<Record<string, readonly string[]>>): Bead[] {
  const beads = Object.entries(blockedBy).map(([id, ids]) => ({
    ...bead(id),
    dependencies: { blocked_by: [...ids], blocks: [] },
  }));
  return withInverseEdges(beads);
}
