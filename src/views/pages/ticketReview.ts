import { type Evidence, passed } from '../../domain/evidence.ts';
import { BeadCommit, FinalTestReport, PullRequestReport } from '../../domain/reports.ts';
import type { Client } from '../../protocol/api.ts';
import type { Review, TestRow } from '../../protocol/pages/ticket.ts';
import { readArtifact } from '../../protocol/readDocument.ts';

/** A test's output is read from its end, where it says what failed. */
const mostOutput = 8_000;

/** What a reviewer reads beside the diff. Undefined while there is no pull request. */
export async function readReview(client: Client, ticket: string): Promise<Review | undefined> {
  const [report, tests, { beads }] = await Promise.all([
    readArtifact(client, ticket, 'pull_request_report', PullRequestReport),
    readArtifact(client, ticket, 'final_test_report', FinalTestReport),
    client.beads(ticket),
  ]);
  if (!report) return undefined;
  const commits = await Promise.all(
    beads.map(async (bead) => ({ bead, commit: await readArtifact(client, ticket, `bead_commit:${bead.id}`, BeadCommit) })),
  );
  const { title, body, branch, base, location } = report;
  return {
    ...{ title, body, branch, base, location },
    tests: (tests?.attempts.at(-1)?.evidence ?? []).map(testRow),
    regression: (tests?.regression ?? []).map(testRow),
    leftOut: commits.flatMap(({ bead, commit }) => (commit?.leftOut ?? []).map((path) => ({ bead: bead.id, path }))),
  };
}

function testRow(evidence: Evidence): TestRow {
  const { command, exitCode, signal, timedOut, durationMs, head, tail } = evidence;
  return {
    command,
    passed: passed(evidence),
    timedOut,
    result: signal ?? String(exitCode ?? ''),
    durationMs,
    output: (tail === '' ? head : tail).slice(-mostOutput),
  };
}
