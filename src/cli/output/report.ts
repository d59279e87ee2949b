import type { App } from '../../app/app.ts';
import { FailureAnalysis } from '../../domain/beads/analysis.ts';
import type { Bead } from '../../domain/beads/bead.ts';
import { budgetUses } from '../../domain/usage/budgets.ts';
import { outcomeOf } from '../../domain/beads/outcome.ts';
import { failureBehind } from '../../domain/beads/failure.ts';
import { filled } from '../../domain/core/errors.ts';
import { factsOf } from '../../domain/facts/ticketFacts.ts';
import { type Evidence, withOutput } from '../../domain/core/evidence.ts';
import {
  BeadCommit,
  BeadExecution,
  FinalTestReport,
  IntegrationReport,
  MergeReport,
  PullRequestReport,
} from '../../domain/beads/reports.ts';
import { ForgeThreads } from '../../domain/forge/forgeThread.ts';
import { threadRows } from '../../domain/forge/threadRows.ts';
import { noSandbox } from '../../domain/environment/sandbox.ts';
import { QaChecklist, qaChecklistDocument } from '../../domain/documents/qaChecklist.ts';
import type { TicketDetail } from '../../protocol/api.ts';
import { readFailures, shownAttempt } from '../../protocol/failures.ts';
import { readApprovals } from '../../protocol/approvals.ts';
import { openQuestions } from '../../protocol/openQuestions.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { readCouncils } from '../../protocol/council/councilPapers.ts';
import { readNotes } from '../../protocol/readNotes.ts';
import { gateOf } from '../base/gates.ts';

export type EvidenceLine = ReturnType<typeof withOutput> & { readonly of: string };
interface PlanBead extends Pick<Bead, 'id' | 'title' | 'status' | 'iteration'> {
  readonly commit: string | null;
}

/** Everything that `show` reports. */
export async function report(
  app: Pick<App, 'client'> & { readonly ports: Pick<App['ports'], 'store'> },
  detail: TicketDetail,
) {
  const { client } = app;
  const { ticket } = detail;
  const { mode, unsandboxed } = client.repository;
  // A team's ticket has its files on a runner.
  const isElsewhere = mode === 'team';
  const worktree = isElsewhere ? null : ticket.worktree;
  const pathHere = (path: string): string => (isElsewhere && !/^https?:/.test(path) ? '' : path);
  const { beads, sha256: planHash } = await client.beads(ticket.id);
  const evidence: EvidenceLine[] = [];
  const plan: PlanBead[] = [];
  const assumptions: { readonly bead: string; readonly text: string }[] = [];
  for (const bead of beads) {
    const { id, title, status, iteration } = bead;
    const found = await readArtifact(client, ticket.id, `bead_commit:${id}`, BeadCommit);
    plan.push({ id, title, status, iteration, commit: found?.commit ?? null });
    const execution = await readArtifact(client, ticket.id, `bead_execution:${id}`, BeadExecution);
    assumptions.push(...(execution?.devRecord?.assumptions ?? []).map((text) => ({ bead: id, text })));
    evidence.push(...(execution?.evidence ?? []).map((one) => evidenceLine(`bead ${id}`, one)));
  }
  const finalTest = await readArtifact(client, ticket.id, 'final_test_report', FinalTestReport);
  for (const attempt of finalTest?.attempts ?? [])
    evidence.push(...attempt.evidence.map((one) => evidenceLine('final test', one)));
  const pullRequest = await readArtifact(client, ticket.id, 'pull_request_report', PullRequestReport);
  const usage = await client.usage(ticket.id);
  return {
    ticket: ticket.id,
    title: ticket.title,
    description: ticket.description,
    status: ticket.status,
    previousStatus: ticket.previousStatus,
    label: detail.view.label,
    column: detail.view.column,
    priority: ticket.priority,
    hold: ticket.hold,
    error: detail.error,
    failure: (ticket.error && failureBehind(ticket.error.diagnostics)) ?? null,
    actions: detail.view.actions,
    ready: detail.idle,
    requests: detail.requests,
    gate: gateOf(ticket.status) ?? null,
    approval: detail.gate,
    notes: detail.gate
      ? (await readNotes(client, ticket.id, detail.gate.artifact)).map(({ text, args }) =>
          filled(text, Object.fromEntries(args.entries())),
        )
      : [],
    questions:
      gateOf(ticket.status) === 'interview-answers'
        ? ((await openQuestions(client, ticket.id)) ?? null)
        : null,
    checklist:
      ticket.status === 'WAITING_MANUAL_QA'
        ? ((await readArtifact(client, ticket.id, qaChecklistDocument.kind, QaChecklist)) ?? null)
        : null,
    settings: ticket.settings,
    limits: ticket.limits,
    budgets: ticket.limits ? budgetUses(ticket.limits, await client.history.spent(ticket.id)) : [],
    providerMisses: await client.history.misses(ticket.id),
    baseBranch: ticket.baseBranch,
    baseCommit: ticket.baseCommit,
    branch: ticket.branch,
    worktree,
    facts: factsOf({ ...ticket, worktree }, client.watchedPullRequest(ticket.id)).map(
      ({ name, label, text, at, href }) => ({
        name,
        label,
        text: text ?? new Date(at ?? 0).toISOString(),
        ...(href === undefined ? {} : { href }),
      }),
    ),
    sandbox: unsandboxed === undefined ? null : noSandbox(unsandboxed).message,
    councils: (await readCouncils(client, ticket.id)).filter(({ winner }) => winner !== null),
    approvals: await readApprovals(client, ticket.id),
    planHash: beads.length > 0 ? planHash : null,
    beads: plan,
    outcome: outcomeOf(beads),
    analysis: FailureAnalysis.safeParse(ticket.error?.diagnostics['analysis']).data ?? null,
    commits: plan.flatMap(({ id, commit }) => (commit === null ? [] : [{ bead: id, commit }])),
    evidence: evidence.map((one) => ({ ...one, cwd: pathHere(one.cwd) })),
    assumptions,
    context: await client.context(ticket.id),
    reviewNotes: await client.findings.waitingNotes(ticket.id),
    failures: (await readFailures(client, ticket.id)).map((one) => shownAttempt(one)),
    finalTest: finalTest
      ? { passed: finalTest.passed, attempts: finalTest.attempts.length, commit: finalTest.commit }
      : null,
    integration: (await readArtifact(client, ticket.id, 'integration_report', IntegrationReport)) ?? null,
    pullRequest: pullRequest
      ? {
          title: pullRequest.title,
          location: pathHere(pullRequest.location),
          branch: pullRequest.branch,
          base: pullRequest.base,
        }
      : null,
    comments: threadRows(
      (await readArtifact(client, ticket.id, 'forge_threads', ForgeThreads)) ?? { threads: [] },
    ),
    merge: (await readArtifact(client, ticket.id, 'merge_report', MergeReport)) ?? null,
    artifacts: (await client.artifacts(ticket.id)).map(
      ({ type, version, attempt, sha256, bytes, archived }) => ({
        type,
        version,
        attempt,
        sha256,
        bytes,
        archived,
      }),
    ),
    tokens: {
      calls: usage.length,
      input: total(usage.map((one) => one.input + one.cacheRead + one.cacheWrite)),
      output: total(usage.map((one) => one.output + one.reasoning)),
    },
    journal: await app.ports.store.verify(ticket.id),
  };
}
export type Report = Awaited<ReturnType<typeof report>>;

function evidenceLine(of: string, evidence: Evidence): EvidenceLine {
  return { ...withOutput(evidence, 2_000), of };
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}
