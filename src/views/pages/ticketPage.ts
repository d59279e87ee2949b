import { env, l10n } from 'vscode';
import { findingsDocument } from '../../domain/documents/findings.ts';
import { QaChecklist, qaChecklistDocument } from '../../domain/documents/qaChecklist.ts';
import { BeadsmithError, fromRecord } from '../../domain/core/errors.ts';
import { hasBudgets } from '../../domain/usage/budgets.ts';
import { estimateOf } from '../../domain/estimate/estimate.ts';
import type { Client, TicketDetail } from '../../protocol/api.ts';
import type { CallTexts } from '../../protocol/history.ts';
import {
  type CallParts,
  type Offer,
  type PagePart,
  ticketPage as contract,
} from '../../protocol/pages/ticket.ts';
import { readCompleted, readEffort } from '../../protocol/estimates.ts';
import { readCouncils } from '../../protocol/council/councilPapers.ts';
import { readLinks } from '../../protocol/links.ts';
import { readArtifact, readDocument } from '../../protocol/readDocument.ts';
import { commandTitle } from '../commands/commandTitles.ts';
import type { CommandName } from '../commands/commands.ts';
import { offeredCommands } from '../commands/offered.ts';
import { listedFindings } from '../../protocol/findings/findingStates.ts';
import { isUnreviewed, readBeadReviews, reviewedBeads } from '../review/beadReviews.ts';
import { errorText, words } from '../shared/errorText.ts';
import { noSandboxText } from '../shared/statusTexts.ts';
import { beadFiles } from './beadFiles.ts';
import { missesText } from '../../domain/promptCache/providersThatMiss.ts';
import { failedBeadRow, nearBudgetTexts, ticketState } from './ticketState.ts';
import { findingDetails } from './findingDetails.ts';
import { inspectedPrompt, isPreviewDue } from './calls/inspectedPrompt.ts';
import { showPrompt } from '../documents/openDocument.ts';
import { openTalk, readTalk } from './liveTalk.ts';
import { actOrJoin, openFromPage, runFromPage } from './pageActions.ts';
import { planRequests } from './planRequests.ts';
import { failedAttempts, passRows, provedCommits } from './proofDetails.ts';
import type { PageKind } from './pageKind.ts';
import { readReview, tokenTables } from './ticketDetails.ts';
import { ticketHint, transcriptHandlers } from './transcript.ts';

const linesAtOnce = 200;
const mostCalls = 500;
const mostContext = 50;
const longestContext = 2_000;
/** More of a text makes a page slow; the whole can be copied. */
const mostText = 400_000;

export const ticketPage: PageKind<typeof contract> = {
  contract,
  title: (ticket, state) => (state ? titleOf(ticket, state) : ticket),
  build: async ({ repository: { client }, ticket }) => {
    const [detail, runs, { beads }, artifacts] = await Promise.all([
      client.ticket(ticket),
      client.history.runs(ticket),
      client.beads(ticket),
      client.artifacts(ticket),
    ]);
    const isReviewed = artifacts.some(({ type, archived }) => type === findingsDocument.kind && !archived);
    const talk = openTalk(runs);
    const [reviews, threads, context, found, talked, spent, misses] = await Promise.all([
      readBeadReviews(client, ticket, artifacts),
      client.comments.threads(ticket),
      client.context(ticket),
      isReviewed ? client.findings.list(ticket) : [],
      talk && readTalk(client, ticket, talk),
      hasBudgets(detail.ticket.limits) ? client.history.spent(ticket) : {},
      client.history.misses(ticket),
    ]);
    const isQa = detail.view.actions.includes('qa');
    const qa = isQa ? await readArtifact(client, ticket, qaChecklistDocument.kind, QaChecklist) : undefined;
    const error = detail.ticket.error && errorText(fromRecord(detail.ticket.error));
    return ticketState({
      detail,
      isElsewhere: client.repository.mode === 'team',
      runs,
      beads,
      artifacts,
      reviews,
      threads,
      failed: failedBeadRow(detail.ticket.error),
      context: context
        .slice(-mostContext)
        .toReversed()
        .map((entry) => ({ ...entry, text: shortened(entry.text) })),
      talk: talked ?? null,
      findings: listedFindings(found, beads),
      actions: offers(detail, !reviewedBeads(beads, artifacts, reviews).some(isUnreviewed)),
      qa: qa ?? null,
      error,
      unsandboxed: noSandboxText(client.repository),
      watched: client.watchedPullRequest(ticket),
      nearCaps: nearBudgetTexts(detail.ticket.limits, spent),
      cacheMisses: misses.map((one) => missesText(one, words)),
    });
  },
  hint: ticketHint,
  requests: (place, workbench) => {
    const { repository, ticket } = place;
    const { client } = repository;
    return {
      ...transcriptHandlers(place),
      ...planRequests(place),
      act: (filed) => actOrJoin(place, workbench, filed),
      run: (named) => runFromPage(place, workbench, named),
      open: (shown) => Promise.resolve(openFromPage(place, workbench, shown)),
      decision: async ({ request, since }) => ({
        decision: (await client.history.decision(ticket, request, since)) ?? null,
      }),
      findings: () => findingDetails(place),
      passes: () => passRows(client, ticket),
      log: (query) => client.history.log(ticket, { ...query, limit: linesAtOnce }),
      calls: async () => {
        const [calls, runs, due] = await Promise.all([
          client.history.calls(ticket),
          client.history.runs(ticket),
          isPreviewDue(client, ticket),
        ]);
        const labels = new Map(
          runs.flatMap(({ id, label, iterations }) =>
            [id, ...iterations.map(({ run }) => run)].map((run) => [run, label]),
          ),
        );
        const newest = calls.slice(-mostCalls).toReversed();
        const rows = newest.map((call) => ({ ...call, label: l10n.t(labels.get(call.run) ?? '') }));
        return { calls: rows, total: calls.length, isPreviewDue: due };
      },
      call: async ({ id }) => partsOf(await loadCallTexts(client, ticket, id)),
      inspect: ({ id }) => inspectedPrompt(client, ticket, id),
      showPrompt: async ({ id, other }) => {
        const [call, compared] = [
          await loadCallTexts(client, ticket, id),
          other === null ? null : await loadCallTexts(client, ticket, other),
        ];
        await showPrompt(place, call, compared);
        return {};
      },
      copyCall: async ({ id, part }) => {
        await env.clipboard.writeText((await loadCallTexts(client, ticket, id))[part]);
        return {};
      },
      councils: () => readCouncils(client, ticket),
      links: () => readLinks(client, ticket),
      tokens: () => tokenTables(client, ticket),
      effort: () => readEffort(client, ticket),
      estimate: async () => {
        const { settings } = (await client.ticket(ticket)).ticket;
        if (!settings) return null;
        return estimateOf(settings.depth, await readCompleted(client));
      },
      review: async () => {
        const review = await readReview(client, ticket);
        if (!review) throw new BeadsmithError('STATUS_CONFLICT');
        return review;
      },
      evidence: () => provedCommits(client, ticket),
      failures: () => failedAttempts(client, ticket),
      beadFiles: ({ bead }) => beadFiles(place, bead, workbench.viewed),
      viewed: async ({ bead, viewed, ...file }) => {
        await workbench.viewed.mark({ root: repository.root, ticket }, bead, file, viewed);
        return {};
      },
    };
  },
};

function titleOf(ticket: string, { head, beads, requests }: ReturnType<typeof ticketState>): string {
  if (requests.length > 0) return l10n.t('{0}: question', ticket);
  if (head.mood === 'waiting' || head.mood === 'blocked') return l10n.t('{0}: {1}', ticket, head.label);
  const at = head.mood === 'working' ? beads.findIndex(({ status }) => status === 'in_progress') : -1;
  const bead = beads[at];
  return bead
    ? l10n.t('{0}: {1}/{2}, iteration {3}', ticket, at + 1, beads.length, bead.iteration)
    : l10n.t('{0}: {1}', ticket, head.title);
}

const besides: readonly CommandName[] = [
  'replyToAgent',
  'acceptBead',
  'rejectBead',
  'withdrawContext',
  'editHandoff',
];
const onTabs: readonly CommandName[] = ['editContext', 'choosePromptParts', 'previewNextPrompt'];
/** Beside the questions or the document that they are about. */
const inPlan: readonly CommandName[] = [
  'answer',
  'skip',
  'approveInQuickPick',
  'checkAgain',
  'regenerate',
  'planInFull',
];

/** Commands whose form stands on the page. */
const onThisPage: Readonly<Partial<Record<CommandName, PagePart>>> = {
  openInterview: 'plan',
  approve: 'plan',
  qa: 'review',
};

function offers(detail: TicketDetail, isReviewed: boolean): Offer[] {
  const isPlanned = detail.gate !== null || detail.view.actions.includes('answer');
  const elsewhere = [...besides, ...onTabs, ...(isPlanned ? inPlan : [])];
  const names = offeredCommands(detail.view, isReviewed).filter((name) => !elsewhere.includes(name));
  return names.map((name) => {
    const { label, detail: words = '' } = commandTitle(name);
    const [, icon = '', text = label] = /^\$\(([a-z-]+)\) (.*)$/.exec(label) ?? [];
    return { name, label: text, detail: words, icon, part: onThisPage[name] ?? null };
  });
}

function shortened(text: string): string {
  return text.length > longestContext ? `${text.slice(0, longestContext)} …` : text;
}

async function loadCallTexts(client: Client, ticket: string, id: string): Promise<CallTexts> {
  const call = await client.history.call(ticket, id);
  if (!call) throw new BeadsmithError('STATUS_CONFLICT');
  return call;
}

async function partsOf({ input, output, plan }: CallTexts): Promise<CallParts> {
  return {
    input: cut(input),
    output: cut(output),
    plan: cut(JSON.stringify((await readDocument(plan)) ?? null, null, 2)),
  };
}

function cut(text: string): CallParts['input'] {
  return { text: text.slice(0, mostText), isCut: text.length > mostText };
}
