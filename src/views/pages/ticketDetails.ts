import { l10n } from 'vscode';
import { visible } from '../../base/visible.ts';
import { withOutput } from '../../domain/core/evidence.ts';
import type { Usage } from '../../domain/usage/promptPlan.ts';
import { BeadCommit, FinalTestReport, PullRequestReport } from '../../domain/beads/reports.ts';
import { ForgeThreads } from '../../domain/forge/forgeThread.ts';
import { threadRows } from '../../domain/forge/threadRows.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';
import type { Client } from '../../protocol/api.ts';
import type { RunView } from '../../protocol/history.ts';
import type { Given } from '../../protocol/pages/frame.ts';
import type { TokenTables, Tokens, Review } from '../../protocol/pages/ticket.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { words } from '../shared/errorText.ts';
import { bandLabels } from '../../domain/workflow/rows.ts';

const nothing: Tokens = {
  messages: 0,
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
  cost: 0,
  estimated: 0,
};

/** A message whose run isn't known any more counts as `other`. */
export function tokenTables(
  usage: readonly (Usage & { readonly run: string })[],
  runs: readonly RunView[],
): Omit<TokenTables, 'beads'> {
  const phases = new Map<string, string>();
  for (const run of runs) {
    const label = l10n.t(bandLabels[rowOf(run.status).band]);
    phases.set(run.id, label);
    for (const iteration of run.iterations) phases.set(iteration.run, label);
  }
  return {
    phases: table(usage, ({ run }) => phases.get(run) ?? l10n.t('Other')),
    models: table(usage, ({ model }) => model),
    total: usage.reduce(plus, nothing),
  };
}

function table<T extends Usage>(usage: readonly T[], nameOf: (message: T) => string): TokenTables['models'] {
  const rows = new Map<string, Tokens>();
  for (const message of usage) {
    const name = nameOf(message);
    rows.set(name, plus(rows.get(name) ?? nothing, message));
  }
  return [...rows].map(([name, tokens]) => ({ name, ...tokens }));
}

function plus(sum: Tokens, message: Usage): Tokens {
  return {
    messages: sum.messages + 1,
    input: sum.input + message.input,
    cacheRead: sum.cacheRead + message.cacheRead,
    cacheWrite: sum.cacheWrite + message.cacheWrite,
    output: sum.output + message.output,
    reasoning: sum.reasoning + message.reasoning,
    cost: sum.cost + message.cost,
    estimated: sum.estimated + (message.estimated ? 1 : 0),
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
