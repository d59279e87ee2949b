import { l10n } from 'vscode';
import { joined } from '../../base/joined.ts';
import { councilKinds } from '../../domain/documents/workDocuments.ts';
import { isCut, permissionText } from '../../domain/ticket/agentRequest.ts';
import { type ErrorRecord, fromRecord } from '../../domain/core/errors.ts';
import { errorTexts } from '../../domain/core/errorTexts.ts';
import type { ArtifactInfo } from '../../domain/ticket/artifacts.ts';
import { type Bead, beadStatusLabels } from '../../domain/beads/bead.ts';
import { type Failure, failureBehind } from '../../domain/beads/failure.ts';
import { limitsBehind } from '../../domain/beads/limitsBehind.ts';
import { findingsDocument } from '../../domain/documents/findings.ts';
import type { QaChecklist } from '../../domain/documents/qaChecklist.ts';
import { factsOf } from '../../domain/facts/ticketFacts.ts';
import type { BeadReview } from '../../domain/workflow/receipts.ts';
import { draftsOf, type ReviewThread } from '../../domain/findings/reviewThread.ts';
import { councilOf } from '../../domain/settings/settings.ts';
import { stageLabel } from '../../domain/beads/beadStages.ts';
import { roleOf } from '../../domain/workflow/roles.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';
import type { Client, TicketDetail } from '../../protocol/api.ts';
import { keepsFailures } from '../../protocol/failures.ts';
import type { RunView } from '../../protocol/history.ts';
import type { Given } from '../../protocol/pages/frame.ts';
import type { FailedBeadRow, LiveTalk } from '../../protocol/pages/reviews.ts';
import type { BeadRow, Offer, PagePart, TicketState, TimelineRun } from '../../protocol/pages/ticket.ts';
import {
  type BudgetLimits,
  budgetUseText,
  budgetUses,
  isNear,
  type SpentByScope,
} from '../../domain/usage/budgets.ts';
import { bandLabels } from '../../domain/workflow/rows.ts';
import { holdName, iterationOutcome, runOutcome, stageOutcome } from '../shared/statusTexts.ts';
import { findingCounts, type ListedFinding } from '../../protocol/findings/findingStates.ts';
import { errorText, words } from '../shared/errorText.ts';
import { choicesFor, choiceText, failedBeadOf } from '../gates/failedBead.ts';

export interface TicketFacts {
  readonly detail: TicketDetail;
  /** Its worktree is on the machine of a runner. */
  readonly isElsewhere: boolean;
  readonly runs: readonly RunView[];
  readonly beads: readonly Bead[];
  readonly artifacts: readonly Pick<ArtifactInfo, 'id' | 'type' | 'archived' | 'sha256'>[];
  /** By the beads' ids. */
  readonly reviews: ReadonlyMap<string, BeadReview>;
  readonly threads: readonly ReviewThread[];
  readonly failed: Given<FailedBeadRow> | null;
  readonly context: Given<TicketState['context']>;
  readonly talk: LiveTalk | null;
  readonly findings: readonly ListedFinding[];
  readonly actions: readonly Offer[];
  readonly qa: QaChecklist | null;
  /** That its programs run without a sandbox; empty where they have one. */
  readonly unsandboxed: string;
  /** Of the pull request, where this process watches it. */
  readonly watched?: ReturnType<Client['watchedPullRequest']>;
  readonly nearCaps: readonly string[];
  readonly cacheMisses: readonly string[];
  readonly error: { readonly message: string; readonly nextStep: string } | null;
}

/** Of a ticket that went round and round, the newest runs are enough. */
const mostRuns = 300;
const mostDiagnostics = 20_000;
/** More commands than the plan's first line names. */
const mostCommands = 20;

export function ticketState(facts: TicketFacts): Given<TicketState> {
  const { detail, beads, artifacts } = facts;
  const { ticket, view } = detail;
  const present = new Set(artifacts.filter(({ archived }) => !archived).map(({ type }) => type));
  const mood = moodOf(view);
  const worktree = facts.isElsewhere ? null : ticket.worktree;
  const isOver = mood === 'done' || mood === 'canceled';
  const stamp = `${String(ticket.revision)}.${String(artifacts.at(-1)?.id ?? 0)}.${String(present.size)}`;
  return {
    head: {
      id: ticket.id,
      title: ticket.title,
      description: ticket.description,
      ...(ticket.settings?.depth === 'loop' ? { isLoop: true } : {}),
      label: l10n.t(view.label),
      mood,
      hold: ticket.hold && {
        name: holdName(ticket.hold.kind),
        detail: ticket.hold.detail,
        since: ticket.hold.since,
        until: ticket.hold.until ?? null,
      },
      facts: factsOf({ ...ticket, worktree }, facts.watched, words).map(
        ({ label, text, error, ...fact }) => ({
          ...fact,
          label: l10n.t(label),
          ...(error ? { text: errorLine(error) } : text === undefined ? {} : { text }),
        }),
      ),
      forgeNews: isOver ? [] : forgeNews(ticket),
      models: ticket.settings ? councilOf(ticket.settings) : [],
      unsandboxed: isOver ? '' : facts.unsandboxed,
      nearCaps: facts.nearCaps,
      cacheMisses: facts.cacheMisses,
    },
    actions: facts.actions,
    due: dueOf(detail, beads.length > 0 || facts.qa !== null),
    plan: {
      files: new Set(beads.flatMap(({ targetFiles }) => targetFiles)).size,
      commands: [...new Set(beads.flatMap(({ testCommands }) => testCommands))].slice(0, mostCommands),
    },
    error: ticket.error &&
      facts.error && {
        code: ticket.error.code,
        ...facts.error,
        ...failedHere(ticket.error.diagnostics),
        failed: detail.view.actions.includes('follow_analysis') ? facts.failed : null,
        diagnostics: diagnosticsText(ticket.error.diagnostics),
        isPaused: ticket.hold?.kind === 'budget',
        raise:
          limitsBehind(ticket.error, ticket.previousStatus).length === 0
            ? null
            : detail.error?.continuable
              ? 'continue'
              : 'retry',
      },
    requests: detail.requests.map((request) => ({
      ...request,
      may: request.content.kind === 'permission' ? permissionText(request.content, words) : '',
      refusal: isCut(request.content) ? errorTexts.REQUEST_CUT.map((text) => l10n.t(text)).join(' ') : '',
    })),
    bands: timeline(facts.runs),
    beads: beads.map((bead) => beadRow(bead, facts)),
    beadActions: {
      accept: detail.view.actions.includes('accept_bead'),
      reject: detail.view.actions.includes('changes'),
    },
    councils: councilKinds.filter((domain) => present.has(`${domain}_drafts`)),
    qa: facts.qa,
    hasFailures: [...present].some(keepsFailures),
    context: facts.context,
    canSteer: detail.view.actions.includes('withdraw_context'),
    talk: facts.talk,
    hasPasses: Math.max(ticket.settings?.minPasses ?? 1, ticket.settings?.maxPasses ?? 1) > 1,
    hasFindings: present.has(findingsDocument.kind),
    hasReview: present.has('pull_request_report'),
    stamp,
    planStamp: JSON.stringify([stamp, detail.idle, detail.gate?.sha256, view.hold, view.actions]),
  };
}

function moodOf({ status, needsPerson }: TicketDetail['view']): TicketState['head']['mood'] {
  const role = roleOf(status);
  if (role) return role === 'completed' ? 'done' : role;
  return needsPerson ? 'waiting' : 'working';
}

/** Questions and approvals stand in the plan, and a ticket that is blocked says why by itself. */
function dueOf({ view: { status }, gate }: TicketDetail, hasWork: boolean): PagePart | null {
  const { band, kind, handler } = rowOf(status);
  const role = roleOf(status);
  if (role === 'canceled') return null;
  if (role === 'draft' || gate !== null) return 'plan';
  // While a model reads the answers a person stays where they are.
  if (band === 'interview' && (kind === 'gate' || handler === 'interviewCoverage')) return 'plan';
  if (role === 'blocked') return hasWork ? 'work' : null;
  return kind === 'auto' ? 'work' : 'review';
}

function failedHere(diagnostics: Readonly<Record<string, unknown>>): Pick<Failure, 'tests' | 'output'> {
  const { tests = [], output = '' } = failureBehind(diagnostics) ?? {};
  return { tests, output };
}

function diagnosticsText(diagnostics: Readonly<Record<string, unknown>>): string {
  return Object.keys(diagnostics).length === 0
    ? ''
    : JSON.stringify(diagnostics, null, 2).slice(0, mostDiagnostics);
}

function timeline(runs: readonly RunView[]): Given<TicketState['bands']> {
  const newest = runs.slice(-mostRuns);
  const order = [...new Set(newest.map(({ status }) => rowOf(status).band))];
  return order.map((name) => {
    const own = newest.filter(({ status }) => rowOf(status).band === name);
    return { name, label: l10n.t(bandLabels[name]), runs: own.map(timelineRun) };
  });
}

function timelineRun(run: RunView): Given<TimelineRun> {
  const iterations = run.iterations.map((one) => ({
    ...one,
    outcome: iterationOutcome(one),
    stages: one.stages.map((stage) => ({
      state: stage.state,
      label: l10n.t(stageLabel(stage.stage)),
      outcome: stage.state === 'open' ? '' : stageOutcome(stage),
      ms: stage.endedAt === null ? null : stage.endedAt - stage.startedAt,
    })),
  }));
  return { ...run, label: l10n.t(run.label), outcome: runOutcome(run), iterations };
}

function beadRow(bead: Bead, { runs, artifacts, reviews, threads, findings }: TicketFacts): Given<BeadRow> {
  const iterations = runs.flatMap((run) => run.iterations.filter((one) => one.bead === bead.id));
  const stage = iterations
    .flatMap(({ state, stages }) => (state === 'open' ? stages : []))
    .findLast(({ state }) => state === 'open');
  const current = (type: string): string | null =>
    artifacts.findLast((one) => one.type === type && !one.archived)?.sha256 ?? null;
  const diff = bead.status === 'done' ? current(`bead_diff:${bead.id}`) : null;
  const review = reviews.get(bead.id);
  return {
    id: bead.id,
    title: bead.title,
    status: bead.status,
    label: l10n.t(beadStatusLabels[bead.status]),
    iteration: bead.iteration,
    stage: stage ? l10n.t(stageLabel(stage.stage)) : null,
    startedAt: timeOf(bead.startedAt),
    completedAt: timeOf(bead.completedAt),
    blockedBy: bead.dependencies.blocked_by,
    ended: iterations
      .filter(({ state }) => state !== 'open')
      .map(({ iteration, exit }) => ({ iteration, exit })),
    diff,
    review: review
      ? { verdict: review.verdict, reason: review.reason, isPresent: review.diff_sha256 === diff }
      : null,
    hasEvidence: current(`bead_execution:${bead.id}`) !== null,
    comments: commentsOf(threads.filter((thread) => thread.bead === bead.id)),
    findings: findingCounts(findings.filter((one) => one.review.bead === bead.id)),
  };
}

function commentsOf(threads: readonly ReviewThread[]): BeadRow['comments'] {
  const open = threads.filter(({ resolved }) => !resolved);
  const drafts = open.filter((thread) => draftsOf(thread).length > 0).length;
  return { drafts, sent: open.length - drafts, resolved: threads.length - open.length };
}

/** A budget that is used up pauses the ticket, which says so itself. */
export function nearBudgetTexts(limits: BudgetLimits | null, spent: SpentByScope): readonly string[] {
  if (!limits) return [];
  return budgetUses(limits, spent)
    .filter((use) => isNear(use) && use.used < use.cap)
    .map((use) => budgetUseText(use, words));
}

export function failedBeadRow(error: ErrorRecord | null): Given<FailedBeadRow> | null {
  const failed = failedBeadOf(error);
  if (!failed) return null;
  const { bead, analysis, proposed } = failed;
  return {
    bead,
    analysis: analysis ? { ...analysis, label: choiceText(analysis.recommendation).label } : null,
    proposed: proposed?.beads ?? [],
    sha256: proposed?.sha256 ?? null,
    // Escalating asks for a reason, and retrying has a button of its own.
    choices: choicesFor(failed).flatMap((choice) => {
      const { label, icon } = choiceText(choice);
      return choice === 'escalate' ? [] : [{ choice, label, icon }];
    }),
  };
}

function timeOf(text: string): number | null {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}

/** Sentences about the pull request that a person has to know before they decide. */
function forgeNews({ forge, status }: TicketDetail['ticket']): string[] {
  if (!forge || rowOf(status).handler !== 'review') return [];
  const failed = forge.failures.map(({ name }) => name).join(', ');
  return [
    ...(forge.news ? [errorLine(forge.news)] : []),
    ...(failed === '' ? [] : [l10n.t('Failed checks on GitHub: {0}', failed)]),
  ];
}

function errorLine(error: ErrorRecord): string {
  const { message, nextStep } = errorText(fromRecord(error));
  return joined([message, nextStep], '\n');
}
