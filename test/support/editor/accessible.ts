import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame } from 'playwright-core';
import * as z from 'zod';
import { assertNothingInternal } from './internals.ts';
import type { Workbench } from './workbench.ts';

const Violations = z.array(
  z.object({
    id: z.string(),
    help: z.string(),
    nodes: z.array(z.object({ target: z.array(z.unknown()), failureSummary: z.string() })),
  }),
);

export const leastContrast = { 'workbench.preferredLightColorTheme': 'Light+' };

/**
 * WCAG 2.2 A and AA, one outline of headings, and names of controls that hold what is written on them, for
 * people who speak to their computer.
 */
const options = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  rules: {
    'label-content-name-mismatch': { enabled: true },
    'heading-order': { enabled: true },
    'page-has-heading-one': { enabled: true },
  },
  resultTypes: ['violations'],
  iframes: false,
};

/** `name`: what the page shows. */
export async function assertAccessible(frame: Frame, name: string): Promise<void> {
  if (!(await frame.evaluate<boolean>('"axe" in globalThis')))
    await frame.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const found = await frame.evaluate<unknown>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  const problems = Violations.parse(found).flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id} (${help}) at ${target.flat().join(' ')}: ${failureSummary.replaceAll(/\s+/g, ' ')}`,
    ),
  );
  assert.deepEqual(problems, [], `${name}: ${String(problems.length)} problems of accessibility`);
  await assertNothingInternal(frame, name);
}

export function assertAccessibleInEveryTheme(
  workbench: Workbench,
  frame: Frame,
  name: string,
): Promise<void> {
  return workbench.inEveryTheme((theme) => assertAccessible(frame, `${name}, ${theme}`));
}
