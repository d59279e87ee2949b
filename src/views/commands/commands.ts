import type { ActionName } from '../../domain/workflow/actions.ts';

/**
 * `target`: what a command is about. `action`: it is offered for tickets whose status has that action.
 * `needs`: it is offered for tickets that have one, or some. `trusted`: it changes no ticket, and still runs
 * something.
 */
export interface CommandRow {
  readonly target: 'editor' | 'repository' | 'ticket' | 'comment';
  readonly action?: ActionName;
  readonly needs?: 'worktree' | 'changes';
  readonly trusted?: true;
  /** It is about one line below a ticket, which offers it itself. */
  readonly ofLine?: true;
  /**
   * It decides something with nothing to type and no dialog, so that one is shown unless a person chose it in
   * a surface of ours.
   */
  readonly decides?: true;
}

/**
 * Every command, once: `beadsmith.<name>` in package.json, a handler in `handlers.ts`. Whatever has an
 * `action` changes something, and is refused while the workspace isn't trusted, as is what is `trusted`.
 */
export const commands = {
  newTicket: { target: 'repository', action: 'edit' },
  newTicketFromEditor: { target: 'repository', action: 'edit' },
  newLoop: { target: 'repository', action: 'edit' },
  start: { target: 'ticket', action: 'start' },
  answer: { target: 'ticket', action: 'answer' },
  openInterview: { target: 'ticket', action: 'answer' },
  skip: { target: 'ticket', action: 'skip', decides: true },
  approve: { target: 'ticket', action: 'approve' },
  approveInQuickPick: { target: 'ticket', action: 'approve' },
  fixGaps: { target: 'ticket', action: 'fix_gaps', decides: true },
  checkAgain: { target: 'ticket', action: 'check_again', decides: true },
  regenerate: { target: 'ticket', action: 'regenerate', decides: true },
  planInFull: { target: 'ticket', action: 'plan_in_full', decides: true },
  qa: { target: 'ticket', action: 'qa' },
  replyToAgent: { target: 'ticket', action: 'question_reply', decides: true },
  merge: { target: 'ticket', action: 'merge' },
  updateFromBase: { target: 'ticket', action: 'update_base', decides: true },
  close: { target: 'ticket', action: 'close' },
  requestChanges: { target: 'ticket', action: 'changes' },
  retry: { target: 'ticket', action: 'retry', decides: true },
  continue: { target: 'ticket', action: 'continue', decides: true },
  rewindSetup: { target: 'ticket', action: 'rewind_setup' },
  addContext: { target: 'ticket', action: 'context' },
  withdrawContext: { target: 'ticket', action: 'withdraw_context' },
  editContext: { target: 'ticket', action: 'edit_context' },
  choosePromptParts: { target: 'ticket', action: 'prompt_rule' },
  previewNextPrompt: { target: 'ticket', action: 'preview_prompt' },
  changeLimits: { target: 'ticket', action: 'limits' },
  pause: { target: 'ticket', action: 'pause' },
  resume: { target: 'ticket', action: 'resume' },
  cancel: { target: 'ticket', action: 'cancel' },
  openTicket: { target: 'ticket' },
  whatNext: { target: 'ticket' },
  showArtifact: { target: 'ticket' },
  showHistory: { target: 'ticket' },
  compareVersions: { target: 'ticket' },
  compareWithPrevious: { target: 'ticket' },
  openWorktree: { target: 'ticket', needs: 'worktree' },
  openTerminal: { target: 'ticket', needs: 'worktree', trusted: true },
  copyId: { target: 'ticket' },
  verifyEvidence: { target: 'ticket', needs: 'changes', trusted: true },
  replayPrompts: { target: 'ticket', trusted: true },
  exportTicket: { target: 'ticket' },
  exportContext: { target: 'ticket' },
  rehearse: { target: 'ticket', trusted: true },
  filterTickets: { target: 'editor' },
  clearFilter: { target: 'editor' },
  sortTickets: { target: 'editor' },
  loadMore: { target: 'editor' },
  installOpencode: { target: 'editor', trusted: true },
  openWalkthrough: { target: 'editor' },
  tryDemo: { target: 'editor', trusted: true },
  removeDemo: { target: 'editor', trusted: true },
  restoreBackup: { target: 'repository', trusted: true },
  cleanUp: { target: 'repository', trusted: true },
  showWaiting: { target: 'editor' },
  refresh: { target: 'editor' },
  showLog: { target: 'editor' },
  checkSetup: { target: 'editor' },
  overridePrompt: { target: 'editor' },
  reportIssue: { target: 'editor' },
  saveReport: { target: 'editor' },
  copyReport: { target: 'editor' },
  openIssueForm: { target: 'editor' },
  setServerPassword: { target: 'editor' },
  removeServerPassword: { target: 'editor' },
  showDiff: { target: 'ticket', needs: 'changes' },
  showFileDiff: { target: 'ticket', needs: 'changes' },
  compareIterations: { target: 'ticket', needs: 'changes' },
  showEvidence: { target: 'ticket' },
  acceptBead: { target: 'ticket', action: 'accept_bead', decides: true },
  rejectBead: { target: 'ticket', action: 'changes' },
  sendReview: { target: 'ticket', action: 'changes', decides: true },
  showFinding: { target: 'ticket', needs: 'changes' },
  acceptFinding: { target: 'ticket', action: 'finding', ofLine: true, decides: true },
  dismissFinding: { target: 'ticket', action: 'finding', ofLine: true },
  makeBeadOfFinding: { target: 'ticket', action: 'finding', ofLine: true, decides: true },
  sendReviewNote: { target: 'ticket', action: 'review_note' },
  showDismissals: { target: 'repository' },
  decideFailedBead: { target: 'ticket', action: 'follow_analysis', decides: true },
  editHandoff: { target: 'ticket', action: 'edit_handoff' },
  addComment: { target: 'comment' },
  sendComment: { target: 'comment', action: 'changes' },
  editComment: { target: 'comment' },
  saveComment: { target: 'comment' },
  cancelEditComment: { target: 'comment' },
  deleteComment: { target: 'comment' },
  resolveComments: { target: 'comment' },
  reopenComments: { target: 'comment' },
  suggestEdit: { target: 'comment' },
  applySuggestion: { target: 'comment', action: 'suggest_edit' },
} as const satisfies Record<string, CommandRow>;

export type CommandName = keyof typeof commands;
export const commandNames = Object.keys(commands) as readonly CommandName[];

/** The id under which the editor knows a command. */
export function commandId(name: CommandName): `beadsmith.${CommandName}` {
  return `beadsmith.${name}`;
}

/** A command's row, read as data. */
export function commandRow(name: CommandName): CommandRow {
  return commands[name];
}

/** Returns true if a command is refused while the workspace isn't trusted. */
export function needsTrust(name: CommandName): boolean {
  const { action, trusted = false } = commandRow(name);
  return trusted || action !== undefined;
}
