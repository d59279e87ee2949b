import * as z from 'zod';
import type { Bead } from '../../domain/beads/bead.ts';
import type { Evidence } from '../../domain/core/evidence.ts';
import { isTestFile } from '../../domain/proof/provingFiles.ts';
import { namesOfTests } from '../../domain/proof/testNames.ts';
import type { Run, StepIo } from '../../engine/run/run.ts';
import { changedTexts, comparedTexts } from '../shared/proof/changedTexts.ts';
import { type Proved, startOf } from './bead/candidate.ts';

/**
 * Returns what is wrong if a command of the bead is flaky because of a test that came with its work, in words
 * for the coder; empty if none is (docs/decisions/049-baseline.md). A flaky test that was there before is
 * recorded with the evidence and nothing more.
 */
export async function newFlakyTests(
  run: Run,
  bead: Bead,
  { commit: candidate, evidence }: Pick<Proved, 'commit' | 'evidence'>,
): Promise<string> {
  const flaky = evidence.slice(0, bead.testCommands.length).filter((item) => item.flaky === true);
  if (flaky.length === 0 || candidate === null) return '';
  const { problems } = await run.step(
    'flaky-tests',
    z.object({ problems: z.array(z.string()) }),
    async (io) => {
      const added = await addedTests(io, startOf(bead), candidate);
      return { problems: flaky.flatMap((item) => problemOf(item, added)) };
    },
  );
  return problems.join('\n');
}

function problemOf({ command, flakyTests = [] }: Evidence, added: readonly string[]): readonly string[] {
  const mine = flakyTests.filter((failed) => added.some((name) => failed.includes(name)));
  // Which test it was isn't known then.
  const isMine = mine.length > 0 || (flakyTests.length === 0 && added.length > 0);
  const which = mine.length > 0 ? ` (${mine.join(', ')})` : '';
  return isMine
    ? [
        `\`${command}\` failed once and passed when it ran again on the same files: a test of this work is flaky${which}. It has to pass every time.`,
      ]
    : [];
}

/** The names of tests that the work added, as far as their language writes them on one line. */
async function addedTests(io: StepIo, from: string, to: string): Promise<readonly string[]> {
  const texts = changedTexts(await comparedTexts(io, from, to)).filter(({ path }) => isTestFile(path));
  return texts.flatMap(({ before, after }) => {
    const known = new Set(namesOfTests(before ?? ''));
    return namesOfTests(after ?? '').filter((name) => !known.has(name));
  });
}
