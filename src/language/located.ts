import type { Path } from '../domain/documents/base/document.ts';

/** A part of a text, as offsets; `end` is behind it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A document that was read, and where in its text each part stands. */
export interface Located {
  /** The document as a value; undefined when it can't be read. */
  readonly value: unknown;
  readonly errors: readonly { readonly message: string; readonly span: Span }[];
  /**
   * Returns the span to mark for a part: a plain value itself, otherwise its key; for a part that is missing,
   * the nearest one around it.
   */
  spanOf(path: Path): Span;
  /** The whole of a part, with everything below it; undefined when it is missing. */
  wholeOf(path: Path): Span | undefined;
  /** Everything that spans several lines and can be folded, from the line it is named on. */
  foldable(): readonly Span[];
  /** The path of the value whose key begins here. */
  pathOfKey(offset: number): Path | undefined;
}

/** Returns true if a place lies in a span or right behind it, as a cursor does. */
export function holds(span: Span, offset: number): boolean {
  return offset >= span.start && offset <= span.end;
}
