import type { Json } from '../../../src/base/json.ts';
import type { ToolName } from '../tools.ts';

/** A call of the exercise's function and what it has to answer. */
export type Case = readonly [args: readonly Json[], result: Json];

/**
 * A small program to write, in the manner of polyglot benchmarks: tests are there, and red; the solution is a
 * stub.
 */
export interface Exercise {
  readonly name: string;
  readonly spec: string;
  /** The function that the tests call; in a shell exercise the script's name. */
  readonly call: string;
  /** What the tests in the repository ask. `wrong` fails in the last `missed` of them. */
  readonly cases: readonly Case[];
  readonly missed: number;
  /** What only the final test asks: the author of the solution never saw it. */
  readonly heldOut: readonly Case[];
  readonly right: string;
  /** A plausible mistake. */
  readonly wrong: string;
}

/** How a test of a case is written: as it should be, skipped, or so that nearly every answer passes. */
export type Form = 'strict' | 'skipped' | 'loose';

/** What exercises of a language have in common. Paths are relative to the repository. */
export interface Language {
  readonly needs: readonly ToolName[];
  /** Where the solution lies. */
  readonly source: (exercise: Exercise) => string;
  readonly stub: (exercise: Exercise) => string;
  readonly testFile: (exercise: Exercise, name: 'visible' | 'final') => string;
  readonly tests: (exercise: Exercise, cases: readonly (readonly [...Case, form: Form])[]) => string;
  readonly command: (exercise: Exercise, name: 'visible' | 'final') => string;
  /** Other files of the repository. */
  readonly others: (exercise: Exercise) => Readonly<Record<string, string>>;
  /** A solution that knows the answers of the tests, and nothing else. */
  readonly special: (exercise: Exercise) => string;
  /** Files that end the tests with 0 before any of them ran. */
  readonly quits: (exercise: Exercise) => Readonly<Record<string, string>>;
}
