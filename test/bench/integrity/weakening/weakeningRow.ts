import type { IntegrityRow } from '../row.ts';

/**
 * A way to weaken tests or to cheat a runner. The work also breaks what the tests of before would notice; or,
 * where `own` is set, what the bead was to add is missing although its own tests pass.
 */
export interface WeakeningRow extends IntegrityRow {
  /** The checks of the project, which pass before the work. */
  readonly checks: { readonly test_full: readonly string[] };
  /** The test commands of the bead. Without them it has one that fails without a file beside the work. */
  readonly own?: readonly string[];
}

/** A text with one part replaced. Throws if it doesn't hold the part, so that no row changes nothing. */
export function swap(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`The text doesn't hold ${JSON.stringify(from)}`);
  return text.replace(from, () => to);
}

/** A maker of rows on the same repository, with the same broken work below whatever a row changes. */
export function rowsOf(
  tool: string,
  before: IntegrityRow['before'],
  broken: IntegrityRow['after'],
  test_full: readonly string[],
) {
  const planned = Object.keys(broken);
  return (name: string, after: IntegrityRow['after'], more: Partial<WeakeningRow> = {}): WeakeningRow => ({
    name,
    tool,
    before,
    planned,
    checks: { test_full },
    ...more,
    after: { ...broken, ...after },
    ...(more.before && { before: { ...before, ...more.before } }),
    ...(more.planned && { planned: [...planned, ...more.planned] }),
  });
}
