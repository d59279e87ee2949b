import type { Point } from './planLayout.ts';

/** The part of a drawing that is seen: a point of it is shown at `x + scale * point`. */
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

/** Larger or smaller, with a point of the frame staying where it is. */
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
