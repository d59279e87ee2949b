import { l10n } from 'vscode';
import type { CommandName } from './commands.ts';

/** A command as a choice in a list: what it is called there, with its icon, and a few words. */
export function commandTitle(name: CommandName): { readonly label: string; readonly detail?: string } {
  return titles()[name] ?? { label: name };
}

function titles(): Readonly<
  Partial<Record<CommandName, { readonly label: string; readonly detail?: string }>>
> {
  return {
    start: { label: `$(play) ${l10n.t('Start')}` },
    answer: { label: `$(comment-discussion) ${l10n.t('Answer the Interview')}` },
    openInterview: {
      label: `$(preview) ${l10n.t('Open Interview')}`,
      detail: l10n.t('Opens a page with all answers so far.'),
    },
    skip: {
      label: `$(debug-continue) ${l10n.t('Skip…')}`,
      detail: l10n.t('Skips everything that is open, with a reason.'),
    },
    approve: {
      label: `$(check) ${l10n.t('Review and Approve…')}`,
      detail: l10n.t('Opens a page to review, edit and approve the document.'),
    },
    approveInQuickPick: {
      label: `$(list-selection) ${l10n.t('Approve in Quick Pick…')}`,
      detail: l10n.t('Shows the document as text and asks for a decision.'),
    },
    fixGaps: {
      label: `$(wand) ${l10n.t('Fix Open Gaps')}`,
      detail: l10n.t('The model revises the document.'),
    },
    checkAgain: {
      label: `$(search) ${l10n.t('Check Again')}`,
      detail: l10n.t('The model checks the document as it is, after an edit for example.'),
    },
    regenerate: {
      label: `$(refresh) ${l10n.t('Regenerate…')}`,
      detail: l10n.t('Creates a new version, with your note.'),
    },
    planInFull: {
      label: `$(organization) ${l10n.t('Plan in Full…')}`,
      detail: l10n.t('With interview and council. The scan and your answers are kept.'),
    },
    qa: { label: `$(checklist) ${l10n.t('Record Manual QA…')}`, detail: l10n.t('Item by item.') },
    replyToAgent: {
      label: `$(comment-unresolved) ${l10n.t('Answer the Agent…')}`,
      detail: l10n.t('It’s waiting for you.'),
    },
    merge: { label: `$(git-merge) ${l10n.t('Merge…')}`, detail: l10n.t('Into the base branch.') },
    updateFromBase: {
      label: `$(repo-pull) ${l10n.t('Update from Base…')}`,
      detail: l10n.t('Puts the branch on its base as it is now.'),
    },
    close: { label: `$(pass) ${l10n.t('Close Without Merging…')}`, detail: l10n.t('The branch is kept.') },
    requestChanges: {
      label: `$(request-changes) ${l10n.t('Request Changes…')}`,
      detail: l10n.t('Adds beads for the requested changes.'),
    },
    acceptBead: {
      label: `$(verified) ${l10n.t('Accept Bead…')}`,
      detail: l10n.t('Records that you accept its changes.'),
    },
    rejectBead: {
      label: `$(circle-slash) ${l10n.t('Reject Bead…')}`,
      detail: l10n.t('Your reason becomes a fix bead.'),
    },
    sendReview: {
      label: `$(comment-discussion) ${l10n.t('Send Review')}`,
      detail: l10n.t('All draft comments.'),
    },
    showFinding: {
      label: `$(eye) ${l10n.t('Show Finding…')}`,
      detail: l10n.t('Opens the diff at its line.'),
    },
    acceptFinding: {
      label: `$(check) ${l10n.t('Accept Finding…')}`,
      detail: l10n.t('It’s fixed, whatever its severity.'),
    },
    dismissFinding: {
      label: `$(circle-slash) ${l10n.t('Dismiss Finding…')}`,
      detail: l10n.t('It isn’t fixed, and later reviews are told why.'),
    },
    makeBeadOfFinding: {
      label: `$(add) ${l10n.t('Make a Bead of Finding…')}`,
      detail: l10n.t('It becomes a bead of its own.'),
    },
    decideFailedBead: {
      label: `$(law) ${l10n.t('Decide About Failed Bead…')}`,
      detail: l10n.t('Retry, skip, split or replan it.'),
    },
    editHandoff: {
      label: `$(export) ${l10n.t('Edit Received Handoff…')}`,
      detail: l10n.t('What the ticket before it left.'),
    },
    sendReviewNote: {
      label: `$(comment) ${l10n.t('Send Note to Reviewer…')}`,
      detail: l10n.t('For the current or the next review.'),
    },
    showDiff: { label: `$(diff-multiple) ${l10n.t('Show Changes…')}` },
    retry: {
      label: `$(refresh) ${l10n.t('Retry with Note…')}`,
      detail: l10n.t('Restarts this step with your note.'),
    },
    continue: { label: `$(debug-rerun) ${l10n.t('Continue')}`, detail: l10n.t('Resumes the same session.') },
    rewindSetup: {
      label: `$(discard) ${l10n.t('Return to Setup Plan…')}`,
      detail: l10n.t('Prepares the environment again.'),
    },
    addContext: {
      label: `$(comment) ${l10n.t('Add Context…')}`,
      detail: l10n.t('Information for the agents.'),
    },
    withdrawContext: {
      label: `$(discard) ${l10n.t('Withdraw Context…')}`,
      detail: l10n.t('Take back what agents are still to receive.'),
    },
    editContext: {
      label: `$(edit) ${l10n.t('Edit Context…')}`,
      detail: l10n.t('Change what agents are still to receive.'),
    },
    choosePromptParts: {
      label: `$(pin) ${l10n.t('Pin or Exclude Prompt Parts…')}`,
      detail: l10n.t('For the prompts that follow.'),
    },
    previewNextPrompt: {
      label: `$(eye) ${l10n.t('Preview Next Prompt')}`,
      detail: l10n.t('It waits until you send it.'),
    },
    changeLimits: {
      label: `$(dashboard) ${l10n.t('Change Limits…')}`,
      detail: l10n.t('Iterations, durations and tokens, from the next step on.'),
    },
    pause: { label: `$(debug-pause) ${l10n.t('Pause')}` },
    resume: { label: `$(debug-start) ${l10n.t('Resume')}` },
    cancel: {
      label: `$(circle-slash) ${l10n.t('Cancel…')}`,
      detail: l10n.t('A canceled ticket can’t be resumed.'),
    },
    openTicket: {
      label: `$(preview) ${l10n.t('Open Ticket')}`,
      detail: l10n.t('Opens a page with all details.'),
    },
    showArtifact: { label: `$(file) ${l10n.t('Show Document…')}` },
  };
}
