import type { Bead } from '../../domain/beads/bead.ts';
import type { Finding } from '../../domain/findings/finding.ts';
import { isTestFile } from '../../domain/proof/provingFiles.ts';
import { testResultsOf } from '../../domain/proof/testResults.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Run, StepIo } from '../../engine/run/run.ts';
import { runCommands } from '../shared/commands.ts';
import { openScratch } from '../shared/proof/scratch.ts';

/** So many tests of one review are run; the findings behind them count without. */
const mostTests = 10;

/**
 * Runs the tests that a reviewer brought, each on the work in the scratch worktree (docs/decisions/132-cold-review.md). A finding whose test fails is
 * confirmed, and is fixed whatever its severity; one whose test passes isn't believed. Only commands that a person approved with the plan are run, and a test
 * that takes something away from an existing one isn't.
 */
export async function confirmFindings(
  io: StepIo,
  ticket: TicketSnapshot,
  { bead, candidate, limits }: { readonly bead: Bead; readonly candidate: string; readonly limits: Run['limits'] },
  findings: readonly Finding[],
): Promise<readonly Finding[]> {
  const settled: Finding[] = [];
  let left = mostTests;
  for (const finding of findings) {
    const isRun = finding.standing !== 'unfounded' && left > 0 && (await canRun(io, bead, candidate, finding));
    if (isRun) left--;
    settled.push(isRun ? await confirm(io, ticket, { candidate, limits }, finding) : finding);
  }
  return settled;
}

async function canRun(io: StepIo, bead: Bead, candidate: string, { test }: Finding): Promise<boolean> {
  if (!test || !isTestFile(test.file) || !bead.testCommands.includes(test.command)) return false;
  const present = await io.ports.git.blob(candidate, test.file);
  return present === undefined || keeps(new TextDecoder().decode(present), test.content);
}

/** Whether every line of a text is still there, in its order. */
function keeps(before: string, after: string): boolean {
  const lines = after.split('\n').map((line) => line.trimEnd());
  let at = 0;
  return before
    .split('\n')
    .map((line) => line.trimEnd())
    .every((line) => {
      const found = line === '' ? at - 1 : lines.indexOf(line, at);
      if (line !== '') at = found + 1;
      return line === '' || found >= 0;
    });
}

async function confirm(
  io: StepIo,
  ticket: TicketSnapshot,
  { candidate, limits }: { readonly candidate: string; readonly limits: Run['limits'] },
  finding: Finding,
): Promise<Finding> {
  const { test } = finding;
  if (!test) return finding;
  const { commit } = await io.ports.git.graft({ start: candidate, from: candidate, paths: [], texts: { [test.file]: test.content } });
  const place = await openScratch(io, ticket, commit, { limits });
  try {
    if (place.failed.length > 0) return finding;
    const [seen] = await runCommands(io, ticket, { commands: [test.command], wrapper: place.wrapper, limits, cwd: place.path });
    if (!seen || seen.timedOut || seen.exitCode === null) return finding;
    if (seen.exitCode === 0) return { ...finding, standing: 'unfounded', doubt: 'test_passes' };
    // Where the output names tests, one of them has to have failed: a file that can't even be read shows nothing.
    const results = testResultsOf(seen);
    return results && results.failed.length === 0 ? finding : { ...finding, standing: 'fix', confirmed: true };
  } finally {
    await place.end();
  }
}
