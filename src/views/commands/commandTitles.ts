import { l10n } from 'vscode';
import type { CommandName } from './commands.ts';

/** A command as a choice in a list: what it is called there, with its icon, and a few words. */
export function commandTitle(name: CommandName): { readonly label: string; readonly detail?: string } {
  return titles()[name] ?? { label: name };
}

function titles(): Readonly<Partial<Record<CommandName, { readonly label: string; readonly detail?: string }>>> {
  return {
    start: { label: `$(play) ${l10n.t('Start')}` },
    answer: { label: `$(comment-discussion) ${l10n.t('Answer the Interview')}` },
    openInterview: { label: `$(preview) ${l10n.t('Open Interview')}`, detail: l10n.t('As a page, with all answers so far.') },
    skip: { label: `$(debug-continue) ${l10n.t('Skip…')}`, detail: l10n.t('Leave everything that is open undone, with a reason.') },
    approve: { label: `$(check) ${l10n.t('Approve…')}`, detail: l10n.t('Shows the document first.') },
    openApproval: {
      label: `$(preview) ${l10n.t('Open Approval Page')}`,
      detail: l10n.t('To look at it in parts, edit it and approve it.'),
    },
    fixGaps: { label: `$(wand) ${l10n.t('Fix the Open Gaps')}`, detail: l10n.t('The model revises it once more.') },
    regenerate: { label: `$(refresh) ${l10n.t('Make a New One…')}`, detail: l10n.t('Begins this part anew, with a note from you.') },
    qa: { label: `$(checklist) ${l10n.t('Go Through Manual QA…')}`, detail: l10n.t('Item by item.') },
    replyToAgent: { label: `$(comment-unresolved) ${l10n.t('Answer the Agent…')}`, detail: l10n.t('It waits for you.') },
    merge: { label: `$(git-merge) ${l10n.t('Merge…')}`, detail: l10n.t('Into the base branch.') },
    close: { label: `$(pass) ${l10n.t('Close Without Merging…')}`, detail: l10n.t('The branch stays as it is.') },
    requestChanges: { label: `$(request-changes) ${l10n.t('Request Changes…')}`, detail: l10n.t('They become further beads.') },
    acceptBead: { label: `$(verified) ${l10n.t('Accept a Bead…')}`, detail: l10n.t('A receipt that you are content with its changes.') },
    rejectBead: { label: `$(circle-slash) ${l10n.t('Reject a Bead…')}`, detail: l10n.t('Your reason becomes a fix bead.') },
    sendReview: { label: `$(comment-discussion) ${l10n.t('Send the Review')}`, detail: l10n.t('All comments that are still drafts.') },
    showDiff: { label: `$(diff-multiple) ${l10n.t('Show Changes…')}` },
    retry: { label: `$(refresh) ${l10n.t('Retry with a Note…')}`, detail: l10n.t('Begins the step anew, with a note from you.') },
    continue: { label: `$(debug-rerun) ${l10n.t('Continue')}`, detail: l10n.t('Goes on in the same session.') },
    rewindSetup: { label: `$(discard) ${l10n.t('Back to the Setup Plan…')}`, detail: l10n.t('The environment is prepared anew.') },
    addContext: { label: `$(comment) ${l10n.t('Add Context…')}`, detail: l10n.t('Something the agents should know.') },
    changeLimits: { label: `$(dashboard) ${l10n.t('Change Limits…')}`, detail: l10n.t('For the next step: iterations, times, tokens.') },
    pause: { label: `$(debug-pause) ${l10n.t('Pause')}` },
    resume: { label: `$(debug-start) ${l10n.t('Resume')}` },
    cancel: { label: `$(circle-slash) ${l10n.t('Cancel…')}`, detail: l10n.t('For good.') },
    openTicket: { label: `$(preview) ${l10n.t('Open Ticket')}`, detail: l10n.t('Everything about it, as a page.') },
    showArtifact: { label: `$(file) ${l10n.t('Show a Document…')}` },
  };
}
