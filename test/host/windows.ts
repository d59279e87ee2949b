/** How a folder of tests finds its window. */
interface HostWindow {
  /** Whether the folder is trusted. */
  readonly trusted: boolean;
  /** A ticket stands at its interview before the window opens. */
  readonly ticket?: true;
  /** Another window drives the repository already. */
  readonly driven?: true;
  /** The same window was open before, with pages of tickets, one of which is gone; not on the desktop. */
  readonly pages?: true;
  /** Also on the desktop, where nothing but the tests can use the window. */
  readonly desktop: boolean;
}

export type WindowName = 'quiet' | 'tickets' | 'restricted' | 'follower';

/** Each folder of tests is a window of its own, in the state described here. */
export const windows: Readonly<Record<WindowName, HostWindow>> = {
  quiet: { trusted: true, desktop: true },
  tickets: { trusted: true, ticket: true, pages: true, desktop: true },
  restricted: { trusted: false, ticket: true, desktop: true },
  follower: { trusted: true, ticket: true, driven: true, desktop: false },
};

/** What a launcher is told. */
export interface WindowOrder {
  readonly name: WindowName;
  readonly version: 'newest' | 'oldest';
  readonly window: HostWindow;
  /** Where the orders of the window's tests are written. */
  readonly orders: string;
  /** Where the tests write their results. */
  readonly report: string;
  readonly limitMs: number;
}
