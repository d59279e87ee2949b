import { councilKinds } from '../../domain/documents/documents.ts';
import { isCut, type RequestContent } from '../../domain/ticket/agentRequest.ts';
import { errorTexts } from '../../domain/core/errors.ts';
import type { ArtifactInfo } from '../../domain/ticket/artifacts.ts';
import { type Bead, beadStatusLabels } from '../../domain/beads/bead.ts';
import { type Failure, failureBehind } from '../../domain/beads/failure.ts';
import { limitsBehind } from '../../domain/beads/limitsBehind.ts';
import { findingsDocument } from '../../domain/documents/findings.ts';
import type { QaChecklist } from '../../domain/documents/qaChecklist.ts';
import { factsOf } from '../../domain/facts/ticketFacts.ts';
import type { Hold } from '../../domain/ticket/ticket.ts';
import type { BeadReview } from '../../domain/workflow/receipts.ts';
import { draftsOf, type ReviewThread } from '../../domain/findings/reviewThread.ts';
import { councilOf } from '../../domain/settings/settings.ts';
import { stageLabel } from '../../domain/beads/beadStages.ts';
import { roleOf } from '../../domain/workflow/roles.ts';
import { rowOf, statuses } from '../../domain/workflow/workflow.ts';
import type { Band } from '../../domain/workflow/rows.ts';
import type { TicketDetail } from '../../protocol/api.ts';
import { keepsFailures } from '../../protocol/failures.ts';
import type { IterationView, RunView, StageView } from '../../protocol/history.ts';
import { findingCounts, type ListedFinding } from '../review/findingState.ts';
import type { ContextRow, FailedBeadRow, LiveTalk } from '../../protocol/pages/reviews.ts';
import type { BeadRow, Offer, TicketState } from '../../protocol/pages/ticket.ts';

/** The facts that the page's state is made of. `words` puts a text of ours into the person's language. */
export interface TicketFacts {
  readonly detail: TicketDetail;
  readonly runs: readonly RunView[];
  readonly beads: readonly Bead[];
  readonly artifacts: readonly Pick<ArtifactInfo, 'id' | 'type' | 'archived' | 'sha256'>[];
  /** A person's reviews of beads, by the beads' ids. */
  readonly reviews: ReadonlyMap<string, BeadReview>;
  readonly threads: readonly ReviewThread[];
  /** The bead that failed and waits for a decision. */
  readonly failed: FailedBeadRow | null;
  /** Context that people added for the agents, newest first. */
  readonly context: readonly ContextRow[];
  /** The talk of models that is going on. */
  readonly talk: LiveTalk | null;
  /** Findings of reviews. */
  readonly findings: readonly ListedFinding[];
  readonly actions: readonly Offer[];
  readonly qa: QaChecklist | null;
  /** That its programs run without a box; empty where they have one. */
  readonly unboxed: string;
  readonly nearCaps: readonly string[];
  readonly cacheMisses: readonly string[];
  readonly error: { readonly message: string; readonly nextStep: string } | null;
  readonly words: (text: string) => string;
  /** Returns the action that a permission is asked for; empty for a question. */
  readonly may: (content: RequestContent) => string;
  readonly bandTexts: Readonly<Record<Band, string>>;
  readonly holdName: (kind: Hold['kind']) => string;
  readonly outcome: (run: Pick<RunView, 'state' | 'exit'>) => string;
  readonly iterationOutcome: (iteration: IterationView) => string;
  readonly stageOutcome: (stage: StageView) => string;
}

/** Of a ticket that went round and round, the newest runs are enough. */
const mostRuns = 300;
const mostDiagnostics = 20_000;

export function ticketState(facts: TicketFacts): TicketState {
  const { detail, beads, artifacts, words } = facts;
  const { ticket, view } = detail;
  const present = new Set(artifacts.filter(({ archived }) => !archived).map(({ type }) => type));
  return {
    head: {
      id: ticket.id,
      title: ticket.title,
      description: ticket.description,
      ...(ticket.settings?.depth === 'loop' ? { isLoop: true } : {}),
      label: words(view.label),
      mood: moodOf(view),
      hold: ticket.hold && {
        name: facts.holdName(ticket.hold.kind),
        detail: ticket.hold.detail,
        since: ticket.hold.since,
        until: ticket.hold.until ?? null,
      },
      facts: factsOf(ticket).map(({ name, label, text, at, isCode }) => ({
        name,
        label: words(label),
        ...(text === undefined ? {} : { text }),
        ...(at === undefined ? {} : { at }),
        ...(isCode ? { isCode } : {}),
      })),
      models: ticket.settings ? [...councilOf(ticket.settings)] : [],
      unboxed: facts.unboxed,
      nearCaps: [...facts.nearCaps],
      cacheMisses: [...facts.cacheMisses],
    },
    actions: [...facts.actions],
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
      may: facts.may(request.content),
      refusal: isCut(request.content) ? errorTexts.REQUEST_CUT.map(words).join(' ') : '',
    })),
    bands: timeline(facts),
    beads: beads.map((bead) => beadRow(bead, facts)),
    beadActions: {
      accept: detail.view.actions.includes('accept_bead'),
      reject: detail.view.actions.includes('changes'),
    },
    councils: councilKinds.filter((domain) => present.has(`${domain}_drafts`)),
    qa: facts.qa,
    hasFailures: [...present].some(keepsFailures),
    context: [...facts.context],
    canSteer: detail.view.actions.includes('withdraw_context'),
    talk: facts.talk,
    hasPasses: Math.max(ticket.settings?.minPasses ?? 1, ticket.settings?.maxPasses ?? 1) > 1,
    hasFindings: present.has(findingsDocument.kind),
    hasReview: present.has('pull_request_report'),
    stamp: `${String(ticket.revision)}.${String(artifacts.at(-1)?.id ?? 0)}.${String(present.size)}`,
  };
}

function moodOf({ status, needsPerson }: TicketDetail['view']): TicketState['head']['mood'] {
  const role = roleOf(status);
  if (role) return role === 'completed' ? 'done' : role;
  return needsPerson ? 'waiting' : 'working';
}

/** Returns the failed tests and the output of the failure behind an error; empty if there is none. */
function failedHere(diagnostics: Readonly<Record<string, unknown>>): Pick<Failure, 'tests' | 'output'> {
  const { tests = [], output = '' } = failureBehind(diagnostics) ?? {};
  return { tests, output };
}

/** Diagnostics that help to fix the error; empty when there are none. */
function diagnosticsText(diagnostics: Readonly<Record<string, unknown>>): string {
  return Object.keys(diagnostics).length === 0
    ? ''
    : JSON.stringify(diagnostics, null, 2).slice(0, mostDiagnostics);
}

function timeline(facts: TicketFacts): TicketState['bands'] {
  const { runs, bandTexts } = facts;
  const order = [...new Set(statuses.map((status) => rowOf(status).band))];
  const newest = runs.slice(-mostRuns);
  return order.flatMap((name) => {
    const own = newest.filter(({ status }) => rowOf(status).band === name);
    if (own.length === 0) return [];
    return [{ name, label: bandTexts[name], runs: own.map((run) => timelineRun(run, facts)) }];
  });
}

function timelineRun(
  run: RunView,
  { words, outcome, iterationOutcome, stageOutcome }: TicketFacts,
): TicketState['bands'][number]['runs'][number] {
  return {
    id: run.id,
    label: words(run.label),
    attempt: run.attempt,
    state: run.state,
    outcome: outcome(run),
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    error: run.error && { ...run.error },
    iterations: run.iterations.map((one) => ({
      bead: one.bead,
      iteration: one.iteration,
      state: one.state,
      exit: one.exit,
      outcome: iterationOutcome(one),
      stages: one.stages.map((stage) => ({
        label: words(stageLabel(stage.stage)),
        state: stage.state,
        outcome: stage.state === 'open' ? '' : stageOutcome(stage),
        ms: stage.endedAt === null ? null : stage.endedAt - stage.startedAt,
      })),
    })),
  };
}

function beadRow(bead: Bead, { runs, artifacts, reviews, threads, findings, words }: TicketFacts): BeadRow {
  const stages = runs
    .flatMap((run) => run.iterations)
    .flatMap((one) => (one.bead === bead.id && one.state === 'open' ? one.stages : []));
  const stage = stages.findLast(({ state }) => state === 'open');
  const iterations = runs
    .flatMap((run) => run.iterations)
    .filter((one) => one.bead === bead.id && one.state !== 'open');
  const current = (type: string): string | null =>
    artifacts.findLast((one) => one.type === type && !one.archived)?.sha256 ?? null;
  const diff = bead.status === 'done' ? current(`bead_diff:${bead.id}`) : null;
  const review = reviews.get(bead.id);
  return {
    id: bead.id,
    title: bead.title,
    status: bead.status,
    label: words(beadStatusLabels[bead.status]),
    iteration: bead.iteration,
    stage: stage ? words(stageLabel(stage.stage)) : null,
    startedAt: timeOf(bead.startedAt),
    completedAt: timeOf(bead.completedAt),
    blockedBy: [...bead.dependencies.blocked_by],
    ended: iterations.map(({ iteration, exit }) => ({ iteration, exit })),
    diff,
    review: review
      ? { verdict: review.verdict, reason: review.reason, isPresent: review.diff_sha256 === diff }
      : null,
    hasEvidence: current(`bead_execution:${bead.id}`) !== null,
    comments: commentsOf(threads.filter((thread) => thread.bead === bead.id)),
    findings: { ...findingCounts(findings.filter((one) => one.review.bead === bead.id)) },
  };
}

function commentsOf(threads: readonly ReviewThread[]): BeadRow['comments'] {
  const open = threads.filter(({ resolved }) => !resolved);
  const drafts = open.filter((thread) => draftsOf(thread).length > 0).length;
  return { drafts, sent: open.length - drafts, resolved: threads.length - open.length };
}

function timeOf(text: string): number | null {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
