import { commands as editor, l10n } from 'vscode';
import { rehearseTicket } from '../demo/rehearseTicket.ts';
import { removeDemo, tryDemo } from '../demo/tryDemo.ts';
import {
  compareVersions,
  compareWithPrevious,
  type DocumentTarget,
  showHistory,
} from '../documents/documentHistory.ts';
import { pickDocument, showArtifact, shownDocument } from '../documents/openDocument.ts';
import { answerInterview, skipInterview } from '../gates/answerInterview.ts';
import { answerQa } from '../gates/answerQa.ts';
import { approveGate, regenerationText, requestChanges } from '../gates/approveGate.ts';
import { editHandoff } from '../gates/editHandoff.ts';
import { decideFailedBead } from '../gates/failedBead.ts';
import { createPullRequest } from '../gates/createPullRequest.ts';
import { endReview } from '../gates/endReview.ts';
import { updateFromBase } from '../gates/updateFromBase.ts';
import { replyToAgent } from '../gates/replyToAgent.ts';
import { applyForgeSuggestion, applySuggestion } from '../review/applySuggestion.ts';
import { fixComment, noteComment, replyComment, resolveComment } from '../review/forgeCommentActions.ts';
import { ForgeNote } from '../review/forgeComments.ts';
import {
  addComment,
  cancelEdit,
  deleteComment,
  editComment,
  saveComment,
  sendReview,
  sendThread,
  setResolved,
  suggestEdit,
} from '../review/commentActions.ts';
import { isReviewed } from '../review/beadReviews.ts';
import { acceptAndNext, acceptBead, rejectBead, reviewChanges, showEvidence } from '../review/reviewBead.ts';
import { isThread } from '../review/commentThread.ts';
import { acceptFinding, dismissFinding, makeBeadOfFinding } from '../review/decideFinding.ts';
import { showDismissals } from '../review/dismissals.ts';
import type { ReviewComments } from '../review/reviewComments.ts';
import { compareIterations, showDiff, showFileDiff, showNextFile, viewAndNext } from '../review/showDiff.ts';
import { undoChange } from '../review/undoChange.ts';
import { type FindingTarget, showFinding } from '../review/showFinding.ts';
import { shownDiff } from '../review/shownDiff.ts';
import type { FormAction } from '../../domain/workflow/forms.ts';
import type { TicketDetail } from '../../protocol/api.ts';
import type { PagePart } from '../../protocol/pages/ticket.ts';
import { blockedText } from '../shared/errorText.ts';
import { takeAction } from '../shared/fillForm.ts';
import { ownTarget } from '../shared/ownTargets.ts';
import { pickOne } from '../shared/quickInput.ts';
import type { OpenRepository } from '../shared/repositories.ts';
import type { TicketPlace, Workbench } from '../shared/workbench.ts';
import { cleanUp } from '../support/cleanUp.ts';
import { overridePrompt } from '../support/overridePrompt.ts';
import { replayPrompts } from '../support/replayPrompts.ts';
import { copyReport, openIssueForm, reportIssue, saveReport } from '../support/reportIssue.ts';
import { restoreBackup } from '../support/restoreBackup.ts';
import { installOpencode, removeServerPassword, setServerPassword } from '../support/setUpOpencode.ts';
import { changeLimits } from '../tickets/changeLimits.ts';
import { changeModels } from '../tickets/changeModels.ts';
import { exportContext, exportTicket } from '../tickets/exportTicket.ts';
import { verifyEvidence } from '../support/verifyEvidence.ts';
import { newLoop } from '../tickets/newLoop.ts';
import { choosePromptParts, editContext, previewNextPrompt } from '../tickets/promptChoices.ts';
import { seedFromEditor } from '../tickets/seedFromEditor.ts';
import { chooseModels } from '../tickets/pickModels.ts';
import { setPriority } from '../tickets/setPriority.ts';
import { startTicket } from '../tickets/startTicket.ts';
import {
  addContext,
  checkAgain,
  copyId,
  openTerminal,
  openWorktree,
  resumeTicket,
  withdrawContext,
} from '../tickets/steerTicket.ts';
import { checkPullRequests } from '../tickets/checkPullRequests.ts';
import { filterTickets, sortTickets } from '../tickets/tree/filterTickets.ts';
import { everything } from '../tickets/tree/ticketFilter.ts';
import { commandTitle, plainTitle } from './commandTitles.ts';
import { commandId, type CommandName, type FormCommand, formCommands } from './commands.ts';
import { furtherCommands, likelyCommand, offeredCommands } from './offered.ts';
import { isMeant } from './isMeant.ts';
import { pickEntry, pickFrom, pickRepository, pickTicket } from './pickTarget.ts';
import { parseTarget, type Target } from './ticketTarget.ts';

/** The publisher, the extension, and the id in package.json. */
const walkthroughId = 'beadsmith.beadsmith#gettingStarted';

type Handler = (target: Target, argument: unknown) => Promise<void>;
type TicketWork = (place: TicketPlace, target: Target) => Promise<void>;
export type Handlers = Readonly<Record<CommandName, Handler>>;

/** A command that is missing here doesn't compile. */
export function handlers(workbench: Workbench): Handlers {
  const onTicket =
    (name: CommandName, work: TicketWork): Handler =>
    async (target, argument) => {
      const place = await pickTicket(workbench, name, target);
      if (place && (await isMeant(name, place.ticket, argument))) await work(place, target);
    };
  const onRepository =
    (work: (repository: OpenRepository, target: Target) => Promise<unknown>): Handler =>
    async (target) => {
      const repository = await pickRepository(workbench, target);
      if (repository) await work(repository, target);
    };
  const byForm =
    (name: CommandName, action: FormAction, said?: (detail: TicketDetail) => string): TicketWork =>
    (place) =>
      takeAction(place, action, `${place.ticket}: ${plainTitle(name)}`, said);
  const forms = Object.fromEntries(
    Array.from(formCommands, ([name, { action }]) => [name, byForm(name, action)]),
  ) as Readonly<Record<FormCommand, TicketWork>>;
  const onDocument =
    (name: CommandName, work: (document: DocumentTarget) => Promise<void>): Handler =>
    async (target) => {
      const named =
        target.artifact === undefined && target.ticket === undefined ? parseTarget(shownDocument()) : target;
      const place = await pickTicket(workbench, name, named);
      if (!place) return;
      const type = named.artifact ?? (await pickDocument(place));
      if (type !== undefined) await work({ ...place, type, version: named.version });
    };
  // The editor gives a command no address if it comes by a key, or from the palette.
  const onDiff =
    (name: CommandName, work: TicketWork): Handler =>
    (target, argument) =>
      onTicket(name, work)(target.ticket === undefined ? parseTarget(shownDiff()) : target, argument);
  const onComment =
    (_name: CommandName, work: (review: ReviewComments, argument: unknown) => Promise<void>): Handler =>
    (_target, argument) =>
      work(workbench.review, argument);
  const onForgeComment =
    (_name: CommandName, work: (parts: Workbench, argument: unknown) => Promise<void>): Handler =>
    (_target, argument) =>
      work(workbench, argument);
  // Also called from a thread beside a line, which the editor hands over itself.
  const onFinding =
    (name: CommandName, work: (place: TicketPlace, target: FindingTarget) => Promise<void>): Handler =>
    async (target, argument) => {
      const shown = isThread(argument) ? workbench.findings.shownFinding(argument) : undefined;
      const place = shown ?? (await pickTicket(workbench, name, target));
      // A thread beside a line is the editor's own object.
      if (place && (shown || (await isMeant(name, place.ticket, argument))))
        await work(place, shown ?? target);
    };
  const openPage = (part?: PagePart) => (place: TicketPlace) => {
    workbench.openPage(place, part);
    return Promise.resolve();
  };
  return {
    ...each(onTicket, forms),
    ...each(onTicket, {
      start: async (place) => {
        if (await startTicket(place.repository, place.ticket)) workbench.openPage(place);
      },
      editDraft: ({ repository, ticket }) => workbench.drafts.openTicket(repository, ticket),
      setPriority,
      answer: answerInterview,
      openInterview: openPage('plan'),
      skip: skipInterview,
      approve: openPage('plan'),
      approveInQuickPick: approveGate,
      reviewChanges,
      merge: (place) => endReview(place, 'merge', workbench.viewed),
      mergePullRequest: (place) => endReview(place, 'merge_pull_request', workbench.viewed),
      close: (place) => endReview(place, 'close', workbench.viewed),
      createPullRequest,
      updatePullRequest: createPullRequest,
      checkAgain,
      regenerate: byForm('regenerate', 'regenerate', ({ gate }) => regenerationText(gate?.artifact ?? '')),
      qa: answerQa,
      replyToAgent: (place) => replyToAgent(place, workbench.support),
      updateFromBase,
      requestChanges,
      retry: byForm('retry', 'retry', blockedText),
      addContext,
      withdrawContext,
      editContext,
      choosePromptParts,
      previewNextPrompt,
      changeLimits,
      changeModels,
      resume: resumeTicket,
      openTicket: openPage(),
      whatNext,
      showArtifact: (place, target) => showArtifact(place, target.artifact, target),
      openWorktree,
      openTerminal,
      copyId,
      verifyEvidence: (place) => verifyEvidence(workbench, place),
      replayPrompts: (place) => replayPrompts(workbench, place),
      exportTicket,
      rehearse: (place) => rehearseTicket(workbench, place),
      exportContext,
      showDiff,
      showFileDiff,
      compareIterations,
      showEvidence,
      showFinding: async (place, target) => {
        const shown = await showFinding(place, target);
        if (shown !== undefined) workbench.findings.reveal({ ...place, finding: shown });
      },
      sendReviewNote: byForm('sendReviewNote', 'review_note'),
      decideFailedBead,
      editHandoff,
    }),
    ...each(onDiff, {
      acceptBead: async (place, target) => {
        await acceptBead(place, target);
      },
      acceptAndNext: (place, target) => acceptAndNext(place, target, openPage('review')),
      rejectBead,
      sendReview: (place) => sendReview(workbench.review, place),
      showNextFile,
      viewAndNext: (place, target) => viewAndNext(place, target, workbench.viewed),
    }),
    ...each(onDocument, { showHistory, compareVersions, compareWithPrevious }),
    ...each(onFinding, { acceptFinding, dismissFinding, makeBeadOfFinding }),
    ...each(onComment, {
      addComment,
      sendComment: sendThread,
      editComment,
      saveComment,
      cancelEditComment: cancelEdit,
      deleteComment,
      resolveComments: (review, argument) => setResolved(review, argument, true),
      reopenComments: (review, argument) => setResolved(review, argument, false),
      undoChange,
      suggestEdit,
    }),
    ...each(onForgeComment, {
      fixComment,
      noteComment,
      replyComment,
      resolveComment,
      applySuggestion: (parts, argument) =>
        argument instanceof ForgeNote
          ? applyForgeSuggestion(parts, argument)
          : applySuggestion(parts.review, argument),
    }),
    newTicket: onRepository((repository, { title = '', description = '' }) =>
      workbench.drafts.open(repository, { title, description }),
    ),
    newTicketFromEditor: async (target) => {
      const seed = seedFromEditor(workbench);
      const repository = await pickRepository(
        workbench,
        seed?.root === undefined ? target : { root: seed.root },
      );
      if (repository) await workbench.drafts.open(repository, seed);
    },
    startDraft: (_target, argument) => workbench.drafts.start(argument),
    saveDraft: (_target, argument) => workbench.drafts.save(argument),
    chooseDepth: (_target, argument) => workbench.drafts.chooseDepth(argument),
    chooseBase: (_target, argument) => workbench.drafts.chooseBase(argument),
    chooseDraftModels: (_target, argument) => workbench.drafts.chooseModels(argument),
    importTickets: onRepository((repository) => workbench.imports.preview(repository)),
    importShown: () => workbench.imports.importShown(),
    newLoop: onRepository(async (repository) => {
      const ticket = await newLoop(repository);
      if (ticket !== undefined) workbench.openPage({ repository, ticket });
    }),
    filterTickets: () => filterTickets(workbench.list),
    clearFilter: () => workbench.list.show(everything),
    sortTickets: () => sortTickets(workbench.list),
    loadMore: ({ root, column }) => {
      if (root !== undefined && column !== undefined) workbench.list.more(root, column);
      return Promise.resolve();
    },
    installOpencode: () => installOpencode(workbench),
    openWalkthrough: async () => {
      await editor.executeCommand('workbench.action.openWalkthrough', walkthroughId, false);
    },
    tryDemo: () => tryDemo(workbench),
    removeDemo: () => removeDemo(workbench),
    restoreBackup: async (target) => {
      const entry = await pickEntry(workbench, target);
      if (entry) await restoreBackup(workbench, entry);
    },
    chooseModels: onRepository(chooseModels),
    cleanUp: onRepository(cleanUp),
    showDismissals: onRepository(showDismissals),
    showWaiting: async () => {
      await workbench.board.refresh();
      const picked = await pickFrom(l10n.t('Tickets that need input'), workbench.board.waiting);
      if (picked) await run(likelyCommand(picked.view, await isReviewed(picked, picked.view)), picked);
    },
    refresh: async () => {
      await workbench.repositories.open({ again: true });
      checkPullRequests(workbench.repositories);
      await workbench.board.refresh();
    },
    showLog: () => {
      workbench.showLog();
      return Promise.resolve();
    },
    checkSetup: () => workbench.checkSetup(),
    overridePrompt: () => overridePrompt(workbench),
    reportIssue: () => reportIssue(workbench),
    saveReport: () => saveReport(workbench),
    copyReport: () => copyReport(workbench),
    openIssueForm: () => openIssueForm(workbench),
    setServerPassword: () => setServerPassword(workbench),
    removeServerPassword: () => removeServerPassword(workbench),
  };
}

function each<N extends CommandName, W>(
  handler: (name: CommandName, work: W) => Handler,
  works: Readonly<Record<N, NoInfer<W>>>,
): Pick<Handlers, N> {
  const made = Object.entries<W>(works).map(([name, work]) => [name, handler(name as N, work)] as const);
  return Object.fromEntries(made) as Pick<Handlers, N>;
}

async function whatNext(place: TicketPlace): Promise<void> {
  const detail = await place.repository.client.ticket(place.ticket);
  const { view } = detail;
  const reply = await pickOne<CommandName>({
    title: l10n.t('{0}: {1}', view.id, l10n.t(view.label)),
    placeholder: blockedText(detail) || view.title,
    choices: [...offeredCommands(view, await isReviewed(place, view)), ...furtherCommands(view)].map(
      (value) => ({
        ...commandTitle(value),
        value,
      }),
    ),
  });
  if (reply.kind === 'given') await run(reply.value, place);
}

async function run(name: CommandName, { repository, ticket }: TicketPlace): Promise<void> {
  await editor.executeCommand(commandId(name), ownTarget({ root: repository.root, ticket } satisfies Target));
}
