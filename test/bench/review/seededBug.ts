/**
 * One bug: a line of a module as it should be and as it is delivered, what a reviewer says of it, and an
 * assertion that only the right line passes.
 */
export interface SeededBug {
  readonly right: string;
  readonly wrong: string;
  readonly claim: string;
  readonly shows: string;
}

/** A small module as a bead delivers it, with two bugs that its own test, `passes`, doesn't see. */
export interface SeededModule {
  readonly name: string;
  readonly code: string;
  readonly passes: string;
  readonly bugs: readonly [SeededBug, SeededBug];
}

/** Makes one bug. */
export const bug = (right: string, wrong: string, claim: string, shows: string): SeededBug => ({
  right,
  wrong,
  claim,
  shows,
});
