import { l10n } from 'vscode';
import { visible } from '../../base/visible.ts';
import { withOutput } from '../../domain/core/evidence.ts';
import { BeadCommit, FinalTestReport, PullRequestReport } from '../../domain/beads/reports.ts';
import { ForgeThreads } from '../../domain/forge/forgeThread.ts';
import { threadRows } from '../../domain/forge/threadRows.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';
import { usageLedger } from '../../domain/usage/usageLedger.ts';
import type { Client } from '../../protocol/api.ts';
import { readBookedUsage } from '../../protocol/bookedUsage.ts';
import type { Given } from '../../protocol/pages/frame.ts';
import type { TokenTables, Review } from '../../protocol/pages/ticket.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { words } from '../shared/errorText.ts';
import { bandLabels } from '../../domain/workflow/rows.ts';
import { beadCalls } from './calls/beadCalls.ts';

/** A message whose run isn't known any more counts as `other`. */
export async function tokenTables(client: Client, ticket: string): Promise<Given<TokenTables>> {
  const { history } = client;
  const [booked, usage, runs, calls] = await Promise.all([
    readBookedUsage(client, ticket),
    client.usage(ticket),
    history.runs(ticket),
    history.calls(ticket),
  ]);
  const bands = new Map(runs.map(({ label, status }) => [label, l10n.t(bandLabels[rowOf(status).band])]));
  const byBand = booked.map((one) => ({
    ...one,
    phase: bands.get(one.phase ?? '') ?? l10n.t('Other'),
  }));
  const { rows: phases, total } = usageLedger(byBand, 'phase');
  return {
    phases,
    models: usageLedger(booked, 'model').rows,
    total,
    beads: beadCalls(usage, calls, runs),
  };
}

const mostOutput = 8_000;

/** Undefined while there is no pull request. */
export async function readReview(client: Client, ticket: string): Promise<Given<Review> | undefined> {
  const [report, tests, comments, { beads }] = await Promise.all([
    readArtifact(client, ticket, 'pull_request_report', PullRequestReport),
    readArtifact(client, ticket, 'final_test_report', FinalTestReport),
    readArtifact(client, ticket, 'forge_threads', ForgeThreads),
    client.beads(ticket),
  ]);
  if (!report) return undefined;
  const commits = await Promise.all(
    beads.map(async (bead) => ({
      bead,
      commit: await readArtifact(client, ticket, `bead_commit:${bead.id}`, BeadCommit),
    })),
  );
  const { title, body, branch, base } = report;
  return {
    title,
    body,
    branch,
    base,
    threads: threadRows(comments ?? { threads: [] }, words).map((row) => ({
      ...row,
      comments: row.comments.map((one) => ({
        ...one,
        author: visible(one.author),
        text: visible(one.text),
      })),
    })),
    threadsLeft: comments?.left ?? 0,
    tests: (tests?.attempts.at(-1)?.evidence ?? []).map((one) => withOutput(one, mostOutput)),
    regression: (tests?.regression ?? []).map((one) => withOutput(one, mostOutput)),
    leftOut: commits.flatMap(({ bead, commit }) =>
      (commit?.leftOut ?? []).map((path) => ({ bead: bead.id, path })),
    ),
  };
}
