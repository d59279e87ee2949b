import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Bead } from '../../../../src/domain/beads/bead.ts';
import { IconButton } from '../../../base/elements.tsx';
import {
  fitted,
  layoutPlan,
  nextBead,
  nodeHeight,
  nodeLines,
  nodeWidth,
  panned,
  type Point,
  showing,
  type Size,
  type Viewport,
  zoomed,
} from './planLayout.ts';

interface Props {
  readonly beads: readonly Bead[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
  /** Enter: the person wants to read or change the bead. */
  readonly onOpen: () => void;
}

const node: Size = { width: nodeWidth, height: nodeHeight };
const step = 1.25;
const lineHeight = 17;

/** A pointer pans the graph, the wheel with Ctrl zooms, and keys go along the edges. */
export function PlanGraph({ beads, selected, onSelect, onOpen }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  // Only ids and edges move nodes; texts are typed all the time.
  const shape = JSON.stringify(beads.map(({ id, dependencies }) => [id, dependencies.blocked_by]));
  const layout = useMemo(() => layoutPlan(beads), [shape]);
  const [view, setView] = useState<Viewport>({ x: 0, y: 0, scale: 1 });
  const fit = (): void => setView(fitted(layout, size));
  useLayoutEffect(fit, [layout, size.width, size.height]);
  const place = new Map(beads.map(({ id }, index) => [id, index + 1]));
  const titles = new Map(beads.map(({ id, title }) => [id, title]));
  const names = (ids: readonly string[]): string =>
    ids.map((id) => titles.get(id) ?? id).join(', ') || l10n.t('none');

  const select = (id: string): void => {
    onSelect(id);
    const at = layout.nodes.get(id);
    if (at) setView((now) => showing(now, at, node, size));
    frame.current?.querySelector<SVGElement>(`[data-bead="${CSS.escape(id)}"]`)?.focus();
  };
  const middle: Point = { x: size.width / 2, y: size.height / 2 };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const zoom = { '+': step, '=': step, '-': 1 / step }[event.key];
    const next = nextBead(layout, selected, event.key);
    if (event.key === 'Enter' || event.key === ' ') onOpen();
    else if (event.key === '0') fit();
    else if (zoom !== undefined) setView((now) => zoomed(now, zoom, middle));
    else if (next !== undefined) select(next);
    else if (!event.key.startsWith('Arrow')) return;
    event.preventDefault();
  };
  useWheel(frame, setView);
  const drag = useDrag((dx, dy) => setView((now) => panned(now, dx, dy)));

  return (
    <div class="graph">
      <div class="graph-tools">
        <IconButton
          icon="zoom-in"
          label={l10n.t('Zoom in')}
          onClick={() => setView((now) => zoomed(now, step, middle))}
        />
        <IconButton
          icon="zoom-out"
          label={l10n.t('Zoom out')}
          onClick={() => setView((now) => zoomed(now, 1 / step, middle))}
        />
        <IconButton icon="screen-full" label={l10n.t('Zoom to fit')} onClick={fit} />
      </div>
      <div class="graph-frame" ref={frame} {...drag}>
        <svg
          role="group"
          aria-label={l10n.t(
            'Dependency graph. Beads: {0}. Each arrow points to the dependent bead.',
            beads.length,
          )}
          onKeyDown={onKeyDown}
        >
          <defs>
            <marker
              id="arrow"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="9"
              markerHeight="9"
              markerUnits="userSpaceOnUse"
              orient="auto"
            >
              <path d="M 0 0 L 8 4 L 0 8 z" class="arrow" />
            </marker>
          </defs>
          <g transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}>
            {layout.edges.map(({ from, to, points }) => (
              <path
                key={`${from} ${to}`}
                class={from === selected || to === selected ? 'edge near' : 'edge'}
                d={points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'} ${x} ${y}`).join(' ')}
                marker-end="url(#arrow)"
              />
            ))}
            {beads.map((bead) => {
              const at = layout.nodes.get(bead.id);
              if (!at) return null;
              const { blocked_by, blocks } = bead.dependencies;
              return (
                <g
                  key={bead.id}
                  class={bead.id === selected ? 'node selected' : 'node'}
                  data-bead={bead.id}
                  role="button"
                  tabindex={bead.id === selected ? 0 : -1}
                  aria-pressed={bead.id === selected}
                  aria-label={l10n.t(
                    '{1} {0}. Depends on: {2}. Needed by: {3}.',
                    bead.title,
                    place.get(bead.id) ?? 0,
                    names(blocked_by),
                    names(blocks),
                  )}
                  transform={`translate(${at.x - nodeWidth / 2} ${at.y - nodeHeight / 2})`}
                  onClick={() => select(bead.id)}
                >
                  <rect width={nodeWidth} height={nodeHeight} rx="5" />
                  {/* Spaces keep apart what is read as one text; the label begins with the same words, so that they can be said to choose the node. */}
                  <g aria-hidden="true">
                    <text class="node-place" x="10" y={nodeHeight / 2}>
                      {`${place.get(bead.id) ?? ''} `}
                    </text>
                    {nodeLines(bead.title || bead.id).map((line, index, lines) => (
                      <text
                        key={index}
                        x="34"
                        y={nodeHeight / 2 + (index - (lines.length - 1) / 2) * lineHeight}
                      >
                        {`${line} `}
                      </text>
                    ))}
                  </g>
                </g>
              );
            })}
          </g>
        </svg>
      </div>
      <p class="quiet hint">
        {l10n.t('Arrow keys follow the dependencies; Enter opens the details. The list has the same beads.')}
      </p>
    </div>
  );
}

function useSize(frame: { readonly current: HTMLElement | null }): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const measure = (): void => setSize({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  return size;
}

/** Not by a property, because only a listener that isn't passive may keep the page from scrolling. */
function useWheel(
  frame: { readonly current: HTMLElement | null },
  setView: (change: (now: Viewport) => Viewport) => void,
): void {
  useEffect(() => {
    const element = frame.current;
    const onWheel = (event: WheelEvent): void => {
      // Without Ctrl the page scrolls as everywhere.
      if (!element || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      setView((now) =>
        zoomed(now, Math.exp(-event.deltaY / 300), { x: event.clientX - left, y: event.clientY - top }),
      );
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, []);
}

interface DragEvents {
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onPointerMove: (event: PointerEvent) => void;
  readonly onPointerUp: () => void;
  readonly onPointerCancel: () => void;
}

/** Moves with a pressed pointer once it went some way: a press on a node is a choice. */
function useDrag(pan: (dx: number, dy: number) => void): DragEvents {
  const last = useRef<{ x: number; y: number; moves: boolean } | undefined>(undefined);
  const end = (): void => (last.current = undefined);
  return {
    onPointerDown: (event) => {
      if (event.button === 0) last.current = { x: event.clientX, y: event.clientY, moves: false };
    },
    onPointerMove: (event) => {
      const from = last.current;
      if (!from) return;
      const dx = event.clientX - from.x;
      const dy = event.clientY - from.y;
      if (!from.moves && Math.hypot(dx, dy) < 4) return;
      if (!from.moves) (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      last.current = { x: event.clientX, y: event.clientY, moves: true };
      pan(dx, dy);
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}
