import assert from 'node:assert/strict';
import {
  fitted,
  layoutPlan,
  nextBead,
  nodeHeight,
  nodeLines,
  showing,
  zoomed,
} from '../../../../../../webview-ui/ticket/documents/beads/planLayout.ts';

describe('the drawing of a plan', () => {
  //   a
  //  / \
  // b   c
  //  \ /
  //   d
  const layout = layoutPlan(waits({ a: [], b: ['a'], c: ['a'], d: ['b', 'c'] }));

  it('draws each bead below what it waits for, none over another', () => {
    const y = (id: string): number => layout.nodes.get(id)?.y ?? Number.NaN;
    assert.ok(y('a') + nodeHeight < y('b') && y('b') + nodeHeight < y('d'));
    assert.equal(y('b'), y('c'));
    assert.notEqual(layout.nodes.get('b')?.x, layout.nodes.get('c')?.x);
    assert.deepEqual(layout.edges.map(({ from, to }) => `${from}${to}`).toSorted(), ['ab', 'ac', 'bd', 'cd']);
    assert.ok(layout.edges.every(({ points }) => points.length >= 2));
  });

  it('leads along the edges and to the neighbours by arrow keys', () => {
    const [left, right] =
      (layout.nodes.get('b')?.x ?? 0) < (layout.nodes.get('c')?.x ?? 0) ? ['b', 'c'] : ['c', 'b'];
    assert.ok(['b', 'c'].includes(nextBead(layout, 'a', 'ArrowDown') ?? ''));
    assert.equal(nextBead(layout, 'b', 'ArrowDown'), 'd');
    assert.equal(nextBead(layout, 'c', 'ArrowUp'), 'a');
    assert.equal(nextBead(layout, left, 'ArrowRight'), right);
    assert.equal(nextBead(layout, right, 'ArrowRight'), undefined);
    assert.equal(nextBead(layout, 'a', 'ArrowUp'), undefined);
    assert.equal(nextBead(layout, 'c', 'Home'), 'a');
  });

  it('draws what is wrong, too: a circle, and an edge to nobody', () => {
    const odd = layoutPlan(waits({ a: ['b'], b: ['a', 'ghost'] }));
    assert.deepEqual([...odd.nodes.keys()], ['a', 'b']);
    assert.equal(odd.edges.length, 2);
  });

  it('writes titles in two lines at most, and cuts what is too long', () => {
    assert.deepEqual(nodeLines('Greet nobody'), ['Greet nobody']);
    assert.deepEqual(nodeLines('Write down what greets everybody'), ['Write down what greets', 'everybody']);
    assert.deepEqual(nodeLines('one two three four five six seven eight nine ten eleven'), [
      'one two three four five',
      'six seven eight nine…',
    ]);
    assert.deepEqual(nodeLines('x'.repeat(40)), [`${'x'.repeat(22)}…`]);
    assert.deepEqual(nodeLines(''), []);
  });

  it('is fitted into its frame, zoomed around a point, and moved so far that a bead is seen', () => {
    const frame = { width: 200, height: 100 };
    assert.deepEqual(fitted({ width: 400, height: 100 }, frame), { scale: 0.5, x: 0, y: 25 });
    assert.equal(fitted({ width: 10, height: 10 }, frame).scale, 1);
    const view = zoomed({ x: 0, y: 0, scale: 1 }, 2, { x: 50, y: 50 });
    assert.deepEqual(view, { x: -50, y: -50, scale: 2 });
    const still = { x: 0, y: 0, scale: 1 };
    assert.equal(showing(still, { x: 100, y: 50 }, { width: 40, height: 20 }, frame), still);
    assert.deepEqual(showing(still, { x: 300, y: 50 }, { width: 40, height: 20 }, frame), {
      x: -128,
      y: 0,
      scale: 1,
    });
  });
});

function waits(blockedBy: Readonly<Record<string, readonly string[]>>) {
  return Object.entries(blockedBy).map(([id, ids]) => ({
    id,
    dependencies: { blocked_by: [...ids], blocks: [] },
  }));
}
