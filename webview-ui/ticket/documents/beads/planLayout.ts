import { layout as arrange, type EdgeLabel, Graph, type GraphLabel, type NodeLabel } from '@dagrejs/dagre';
import type { Bead } from '../../../../src/domain/beads/bead.ts';

export const nodeWidth = 190;
export const nodeHeight = 56;
/** Letters and lines that a node has room for beside its number. */
const longestLine = 23;
const mostLines = 2;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Middles of nodes; edges run from what has to be done first. */
export interface PlanLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: ReadonlyMap<string, Point>;
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly points: readonly Point[];
  }[];
}

type Waiting = Pick<Bead, 'id' | 'dependencies'>;

/** The same plan always looks the same. */
export function layoutPlan(beads: readonly Waiting[]): PlanLayout {
  if (beads.length === 0) return { width: 0, height: 0, nodes: new Map(), edges: [] };
  const graph = new Graph<GraphLabel, NodeLabel, EdgeLabel>();
  graph.setGraph({ rankdir: 'TB', nodesep: 24, ranksep: 40, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of beads) graph.setNode(id, { width: nodeWidth, height: nodeHeight });
  for (const { id, dependencies } of beads)
    for (const blocker of dependencies.blocked_by)
      if (blocker !== id && graph.hasNode(blocker)) graph.setEdge(blocker, id);
  arrange(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    nodes: new Map(graph.nodes().map((id) => [id, pointOf(graph.node(id))])),
    edges: graph.edges().map(({ v, w }) => ({ from: v, to: w, points: pointsOf(graph.edge(v, w)) })),
  };
}

/** An arrow key leads along the edges, or sideways. */
export function nextBead(layout: PlanLayout, from: string, key: string): string | undefined {
  const at = layout.nodes.get(from);
  if (!at) return undefined;
  const ids = [...layout.nodes.keys()];
  const near = (candidates: readonly string[]): string | undefined =>
    candidates.toSorted((a, b) => Math.abs(xOf(layout, a) - at.x) - Math.abs(xOf(layout, b) - at.x))[0];
  const beside = (side: -1 | 1): string | undefined =>
    near(ids.filter((id) => layout.nodes.get(id)?.y === at.y && Math.sign(xOf(layout, id) - at.x) === side));
  switch (key) {
    case 'ArrowUp':
      return near(layout.edges.filter(({ to }) => to === from).map((edge) => edge.from));
    case 'ArrowDown':
      return near(layout.edges.filter((edge) => edge.from === from).map(({ to }) => to));
    case 'ArrowLeft':
      return beside(-1);
    case 'ArrowRight':
      return beside(1);
    case 'Home':
      return ids[0];
    case 'End':
      return ids.at(-1);
    default:
      return undefined;
  }
}

function xOf(layout: PlanLayout, id: string): number {
  return layout.nodes.get(id)?.x ?? 0;
}

function pointOf({ x = 0, y = 0 }: Partial<Point>): Point {
  return { x, y };
}

function pointsOf(edge: { readonly points?: readonly Partial<Point>[] }): readonly Point[] {
  return (edge.points ?? []).map(pointOf);
}

/** The last line is cut short if it has to be. */
export function nodeLines(title: string): readonly string[] {
  const lines: string[] = [];
  for (const word of title.split(/\s+/).filter((part) => part !== '')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= longestLine)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  const shown = lines.slice(0, mostLines).map((line) => (line.length > longestLine ? cut(line) : line));
  const last = shown.at(-1);
  if (lines.length > mostLines && last !== undefined) shown[shown.length - 1] = cut(last.replace(/…$/, ''));
  return shown;
}

/** Never cuts a letter of two units. */
function cut(line: string): string {
  return `${line.slice(0, longestLine - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A point of the drawing is shown at `x + scale * point`. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const smallest = 0.15;
const largest = 2;

/** Everything, in the middle; never larger than life. */
export function fitted(drawing: Size, frame: Size): Viewport {
  const scale = clamp(
    Math.min(frame.width / Math.max(1, drawing.width), frame.height / Math.max(1, drawing.height), 1),
  );
  return {
    scale,
    x: (frame.width - drawing.width * scale) / 2,
    y: Math.max(0, (frame.height - drawing.height * scale) / 2),
  };
}

/** A point of the frame stays where it is. */
export function zoomed(view: Viewport, factor: number, around: Point): Viewport {
  const scale = clamp(view.scale * factor);
  const by = scale / view.scale;
  return { scale, x: around.x - (around.x - view.x) * by, y: around.y - (around.y - view.y) * by };
}

export function panned(view: Viewport, dx: number, dy: number): Viewport {
  return { ...view, x: view.x + dx, y: view.y + dy };
}

/** Moved just so far that a box around a point of the drawing is seen. */
export function showing(view: Viewport, point: Point, box: Size, frame: Size): Viewport {
  const shift = (at: number, half: number, end: number): number => {
    if (at - half < 0) return half - at;
    return at + half > end ? end - half - at : 0;
  };
  const dx = shift(view.x + point.x * view.scale, (box.width / 2) * view.scale + 8, frame.width);
  const dy = shift(view.y + point.y * view.scale, (box.height / 2) * view.scale + 8, frame.height);
  return dx === 0 && dy === 0 ? view : panned(view, dx, dy);
}

function clamp(scale: number): number {
  return Math.min(largest, Math.max(smallest, scale));
}
