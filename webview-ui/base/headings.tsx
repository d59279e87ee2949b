import { type ComponentChildren, createContext, h, type HTMLAttributes } from 'preact';
import { useContext } from 'preact/hooks';

/** The level of the headings here; the page itself has the first. */
const Level = createContext(2);

interface HeadingProps extends HTMLAttributes<HTMLHeadingElement> {
  /** So many levels below the heading that stands above it here. */
  readonly below?: number;
}

/** One outline for the whole page, wherever a part of it stands. */
export function Heading({ below = 0, ...props }: HeadingProps) {
  return h(`h${String(Math.min(useContext(Level) + below, 6))}`, props);
}

/** The headings in it are below one that stands here. */
export function Below({ children }: { readonly children: ComponentChildren }) {
  return <Level.Provider value={useContext(Level) + 1}>{children}</Level.Provider>;
}
