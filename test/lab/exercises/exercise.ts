import * as z from 'zod';
import type { ToolName } from '../tools.ts';

const Case = z.tuple([z.array(z.json()), z.json()]).readonly();

/** A small program to write: tests are there, and red; the solution is a stub. */
export const Exercise = z.strictObject({
  name: z.string(),
  spec: z.string(),
  /** The function that the tests call; in a shell exercise the script's name. */
  call: z.string(),
  /** What the tests in the repository ask. `wrong` fails in the last `missed` of them. */
  cases: z.array(Case),
  missed: z.number(),
  /** What only the final test asks: the author of the solution never saw it. */
  heldOut: z.array(Case),
  right: z.string(),
  /** A plausible mistake. */
  wrong: z.string(),
});
export type Exercise = Readonly<z.infer<typeof Exercise>>;

/** How a test of a case is written: as it should be, skipped, or so that nearly every answer passes. */
export type Form = 'strict' | 'skipped' | 'loose';

/** The arguments of a call, its answer, and how it is tested. */
export type TestCase = readonly [...z.infer<typeof Case>, form: Form];

/** Paths are relative to the repository. */
export interface Language {
  readonly needs: readonly ToolName[];
  readonly source: (exercise: Exercise) => string;
  readonly stub: (exercise: Exercise) => string;
  readonly testFile: (exercise: Exercise, name: 'visible' | 'final') => string;
  readonly tests: (exercise: Exercise, cases: readonly TestCase[]) => string;
  readonly command: (exercise: Exercise, name: 'visible' | 'final') => string;
  readonly others: (exercise: Exercise) => Readonly<Record<string, string>>;
  /** A solution that knows the answers of the tests, and nothing else. */
  readonly special: (exercise: Exercise) => string;
  /** Ends the tests with 0 before any of them ran. */
  readonly quits: (exercise: Exercise) => Readonly<Record<string, string>>;
}
