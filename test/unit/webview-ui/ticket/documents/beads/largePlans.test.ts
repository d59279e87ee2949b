import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  layoutPlan,
  nextBead,
  nodeHeight,
  nodeLines,
  nodeWidth,
  type PlanLayout,
} from '../../../../../../webview-ui/ticket/documents/beads/planLayout.ts';

/** By the bead's place in the list. */
type Waits = readonly (readonly number[])[];
const beads = (waits: Waits) =>
  waits.map((numbers, index) => ({
    id: `b${String(index)}`,
    dependencies: { blocked_by: numbers.map((number) => `b${String(number)}`), blocks: [] },
  }));

/** With circles, beads that wait for themselves, for nobody, or for the same bead twice. */
const anyPlan = fc.integer({ min: 1, max: 24 }).chain((count) =>
  fc.array(fc.array(fc.integer({ min: 0, max: count + 1 }), { maxLength: 4 }), {
    minLength: count,
    maxLength: count,
  }),
);
const large: Waits = Array.from({ length: 200 }, (_, index) =>
  index === 0
    ? []
    : [
        ...new Set(
          [1, (index % 7) + 1, (index % 10) + 1].map((back) => index - back).filter((number) => number >= 0),
        ),
      ],
);

function overlapping(layout: PlanLayout): readonly string[] {
  const nodes = [...layout.nodes];
  return nodes.flatMap(([one, a], index) =>
    nodes
      .slice(index + 1)
      .filter(([, b]) => Math.abs(a.x - b.x) < nodeWidth && Math.abs(a.y - b.y) < nodeHeight)
      .map(([other]) => `${one} and ${other}`),
  );
}

function wanted(waits: Waits): readonly string[] {
  const edges = waits.flatMap((numbers, to) =>
    numbers
      .filter((from) => from !== to && from < waits.length)
      .map((from) => `b${String(from)} b${String(to)}`),
  );
  return [...new Set(edges)].toSorted();
}

function assertDrawn(waits: Waits, layout: PlanLayout): void {
  assert.equal(layout.nodes.size, waits.length);
  assert.deepEqual(overlapping(layout), []);
  assert.deepEqual(layout.edges.map(({ from, to }) => `${from} ${to}`).toSorted(), wanted(waits));
  for (const { points } of layout.edges)
    assert.ok(
      points.length >= 2 && points.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)),
      'an edge leads somewhere',
    );
  for (const { x, y } of layout.nodes.values()) {
    assert.ok(x >= nodeWidth / 2 && x <= layout.width - nodeWidth / 2, 'a bead lies beside the drawing');
    assert.ok(
      y >= nodeHeight / 2 && y <= layout.height - nodeHeight / 2,
      'a bead lies above or below the drawing',
    );
  }
}

describe('the drawing of any plan', () => {
  it('shows each bead once, none over another, and every edge, also of circles and of what makes no sense', () => {
    fc.assert(
      fc.property(anyPlan, (waits) => assertDrawn(waits, layoutPlan(beads(waits)))),
      { numRuns: 60 },
    );
  });

  it('shows two hundred beads, each below those it waits for, always alike', function () {
    this.timeout(30_000);
    const layout = layoutPlan(beads(large));
    assertDrawn(large, layout);
    for (const { from, to } of layout.edges)
      assert.ok((layout.nodes.get(from)?.y ?? 0) < (layout.nodes.get(to)?.y ?? 0), `${from} ${to}`);
    assert.deepEqual([...layoutPlan(beads(large)).nodes], [...layout.nodes]);
  });

  it('has a bead for every arrow key that leads anywhere, and stays when there is none', () => {
    fc.assert(
      fc.property(anyPlan, fc.nat(), (waits, start) => {
        const layout = layoutPlan(beads(waits));
        let at = `b${String(start % waits.length)}`;
        for (const key of [
          'ArrowDown',
          'ArrowRight',
          'ArrowUp',
          'ArrowLeft',
          'End',
          'Home',
          'x',
          'constructor',
        ]) {
          const next = nextBead(layout, at, key);
          assert.ok(next === undefined || layout.nodes.has(next), `${key} from ${at}`);
          at = next ?? at;
        }
        assert.equal(nextBead(layout, 'nobody', 'Home'), undefined);
      }),
      { numRuns: 40 },
    );
  });

  it('draws a plan without beads as nothing', () => {
    const { nodes, edges, width, height } = layoutPlan([]);
    assert.deepEqual([nodes.size, edges.length], [0, 0]);
    assert.ok(Number.isFinite(width) && Number.isFinite(height));
  });

  it('writes any title in two lines that fit, without half letters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (title) => {
        const lines = nodeLines(title);
        assert.ok(lines.length <= 2 && lines.every((line) => line.length <= 23), JSON.stringify(lines));
        assert.ok(
          lines.every((line) => line.isWellFormed()),
          JSON.stringify(lines),
        );
      }),
      { numRuns: 500 },
    );
    for (const start of ['', 'a'])
      for (const title of [`${start}${'🙂'.repeat(30)}`, `${start}${'🙂'.repeat(8)} `.repeat(4)])
        assert.ok(
          nodeLines(title).every((line) => line.isWellFormed() && line.length <= 23),
          JSON.stringify(nodeLines(title)),
        );
  });
});
