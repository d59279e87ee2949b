import type { Bead } from '../../../domain/beads/bead.ts';
import type { ClaimedTest, Finding } from '../../../domain/findings/finding.ts';
import { isTestFile } from '../../../domain/proof/provingFiles.ts';
import { testResultsOf } from '../../../domain/proof/testResults.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { runCommands } from '../../shared/worktree/commands.ts';
import { openScratch } from '../../shared/proof/scratch.ts';

const mostTests = 10;

interface Reviewed {
  readonly bead: Bead;
  readonly candidate: string;
  readonly limits: Run['limits'];
}

/**
 * Runs the tests that a reviewer brought (docs/decisions/132-cold-review.md). A finding whose test fails is
 * confirmed; one whose test passes isn't believed. Only commands that a person approved are run, and no test
 * that takes something away from an existing one.
 */
export async function confirmFindings(
  io: StepIo,
  ticket: TicketSnapshot,
  work: Reviewed,
  findings: readonly Finding[],
): Promise<readonly Finding[]> {
  const settled: Finding[] = [];
  let left = mostTests;
  for (const finding of findings) {
    const { test } = finding;
    const isRun = test && isBelieved(finding) && left > 0 && (await canRun(io, work, test));
    if (isRun) left--;
    settled.push(isRun ? seenOn(finding, await runTest(io, ticket, work, test)) : finding);
  }
  return settled;
}

/** A dismissed finding stays so, whatever a test shows. */
function isBelieved({ standing, doubt }: Finding): boolean {
  return doubt === null && standing !== 'dismissed';
}

/** Confirmed findings whose test still doesn't pass, whether or not a reviewer speaks of them. */
export async function unprovedFixes(
  io: StepIo,
  ticket: TicketSnapshot,
  work: Reviewed,
  earlier: readonly Finding[],
): Promise<readonly Finding[]> {
  const unproved: Finding[] = [];
  for (const finding of earlier) {
    if (finding.confirmed && finding.test && (await runTest(io, ticket, work, finding.test)) !== 'passes')
      unproved.push(finding);
  }
  return unproved;
}

async function canRun(io: StepIo, { bead, candidate }: Reviewed, test: ClaimedTest): Promise<boolean> {
  if (!isTestFile(test.file) || !bead.testCommands.includes(test.command)) return false;
  const present = await io.ports.git.blob(candidate, test.file);
  return present === undefined || keeps(new TextDecoder().decode(present), test.content);
}

/** True if every line of a text is still there, in its order. */
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

function seenOn(finding: Finding, seen: Seen): Finding {
  if (seen === 'unclear') return finding;
  if (seen === 'fails') return { ...finding, standing: 'fix', confirmed: true };
  return { ...finding, standing: finding.accepted === true ? 'fix' : 'unfounded', doubt: 'test_passes' };
}

/** `unclear`: the test could not be run to its end. */
type Seen = 'fails' | 'passes' | 'unclear';

async function runTest(
  io: StepIo,
  ticket: TicketSnapshot,
  { candidate, limits }: Reviewed,
  test: ClaimedTest,
): Promise<Seen> {
  const { commit } = await io.ports.git.graft({
    start: candidate,
    from: candidate,
    paths: [],
    texts: { [test.file]: test.content },
  });
  const place = await openScratch(io, ticket, commit, { limits });
  try {
    if (place.failed.length > 0) return 'unclear';
    const [seen] = await runCommands(io, ticket, {
      commands: [test.command],
      wrapper: place.wrapper,
      limits,
      cwd: place.path,
    });
    if (!seen || seen.timedOut || seen.exitCode === null) return 'unclear';
    if (seen.exitCode === 0) return 'passes';
    // Where the output names tests, one of them has to have failed: an unreadable file shows nothing.
    const results = testResultsOf(seen);
    return results && results.failed.length === 0 ? 'unclear' : 'fails';
  } finally {
    await place.end();
  }
}
