import type { ActionName, actions } from '../../domain/workflow/actions.ts';
import type { FormCommandRow } from '../../domain/workflow/formFields.ts';
import { type FormAction, formActions, formIfAny, formOf } from '../../domain/workflow/forms.ts';

interface WrittenRow {
  /** It ends with `…` if something is asked before it does its work. */
  readonly title: string;
  /** A product icon. */
  readonly icon?: string;
  readonly about?: string;
  /** Usually a ticket. */
  readonly target?: 'editor' | 'repository' | 'ticket' | 'comment';
  readonly action?: ActionName;
  readonly needs?: 'worktree' | 'changes';
  /** It changes no ticket, and still runs something. */
  readonly trusted?: true;
  /** About one line below a ticket, which offers it itself. */
  readonly ofLine?: true;
  /**
   * It decides something with nothing to type and no dialog, so one is shown unless a person chose it in a
   * surface of ours.
   */
  readonly decides?: true;
  /** The palette doesn't have it: a menu or page offers it, or *Show Available Actions…*. */
  readonly menuOnly?: true;
  /** One of two commands of an action: the one for a ticket whose pull request is published, or the other. */
  readonly isAgain?: boolean;
  /** The palette's condition, where it doesn't follow from the target. */
  readonly palette?: string;
  /** A key, and where it counts. */
  readonly key?: { readonly key: string; readonly mac?: string; readonly when: string };
}

/** In the document of a new ticket or a draft. */
export const inDraft = 'resourceScheme == beadsmith-draft';

type CommandRow = WrittenRow & Required<Pick<WrittenRow, 'target'>>;

type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

/** The actions that have a command in the row of their form. */
type CommandAction = {
  [A in FormAction]: (typeof actions)[A]['form'] extends { readonly command: FormCommandRow } ? A : never;
}[FormAction];
type AgainCommand = {
  [A in FormAction]: (typeof actions)[A]['form'] extends { readonly again: { readonly command: infer Row } }
    ? Row extends { readonly name: infer Name extends string }
      ? Name
      : never
    : never;
}[FormAction];
export type FormCommand = CamelCase<CommandAction> | AgainCommand;

function camelCase(action: FormAction): FormCommand {
  return action.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) as FormCommand;
}

/**
 * Commands that are no more than an action's form: `plan_in_full` has `planInFull`. `isAgain`: with its words
 * for the next time.
 */
export const formCommands = new Map<
  FormCommand,
  FormCommandRow & Pick<WrittenRow, 'about' | 'isAgain'> & { readonly action: FormAction }
>(
  formActions.flatMap((action) => {
    const { command, again } = formOf(action);
    if (!command) return [];
    if (!again) return [[camelCase(action), { ...command, action }] as const];
    const next = { ...again.command, about: again.about, action, isAgain: true };
    return [
      [camelCase(action), { ...command, action, isAgain: false }],
      [again.command.name as AgainCommand, next],
    ] as const;
  }),
);
const formRows = Object.fromEntries(
  Array.from(formCommands, ([name, { title, icon, about, action, isAgain, decides, menuOnly }]) => [
    name,
    {
      title,
      icon,
      action,
      ...(about === undefined ? {} : { about }),
      ...(isAgain === undefined ? {} : { isAgain }),
      ...(decides ? { decides } : {}),
      ...(menuOnly ? { menuOnly } : {}),
    } satisfies WrittenRow,
  ]),
) as Readonly<Record<FormCommand, WrittenRow>>;

const hasFolder = 'workbenchState != empty';
/** A diff of ours in front, of one file or of several. */
export const inDiff = 'resourceScheme =~ /^beadsmith-(blob|diff)$/';

/**
 * `.build/manifest.mjs` writes `beadsmith.<name>` into package.json. A command with an `action`, or
 * `trusted`, is refused while the workspace isn't trusted.
 */
export const commands = {
  newTicket: {
    title: 'New Ticket',
    icon: 'add',
    target: 'repository',
    action: 'edit',
  },
  newTicketFromEditor: {
    title: 'New Ticket from Selection, TODO, Problem, or File',
    icon: 'add',
    target: 'repository',
    action: 'edit',
    palette: `${hasFolder} && resourceScheme == file`,
  },
  importTickets: {
    title: 'Import Tickets…',
    icon: 'new-file',
    target: 'repository',
    action: 'edit',
  },
  importShown: {
    title: 'Import Tickets of This Preview',
    icon: 'check',
    target: 'editor',
    action: 'edit',
    menuOnly: true,
  },
  newLoop: {
    title: 'New Loop…',
    icon: 'sync',
    target: 'repository',
    action: 'edit',
  },
  start: { title: 'Start Ticket…', icon: 'play', action: 'start' },
  editDraft: {
    title: 'Edit Title and Description',
    icon: 'edit',
    about: 'Opens them as a document.',
    action: 'start',
    menuOnly: true,
  },
  setPriority: {
    title: 'Set Priority…',
    icon: 'list-ordered',
    action: 'start',
    menuOnly: true,
  },
  startDraft: {
    title: 'Start This Ticket',
    icon: 'play',
    target: 'editor',
    action: 'start',
    menuOnly: true,
    key: { key: 'ctrl+enter', mac: 'cmd+enter', when: `${inDraft} && editorTextFocus && isWorkspaceTrusted` },
  },
  saveDraft: { title: 'Save as Draft', icon: 'save', target: 'editor', action: 'edit', menuOnly: true },
  chooseDepth: { title: 'Choose Depth…', target: 'editor', action: 'start', menuOnly: true },
  chooseBase: { title: 'Choose Base Branch…', target: 'editor', action: 'start', menuOnly: true },
  chooseDraftModels: {
    title: 'Choose Models of This Ticket…',
    target: 'editor',
    action: 'start',
    menuOnly: true,
  },
  answer: { title: 'Answer the Interview…', icon: 'comment-discussion', action: 'answer' },
  openInterview: {
    title: 'Open Interview',
    icon: 'preview',
    about: 'Opens a page with all answers so far.',
    action: 'answer',
  },
  skip: {
    title: 'Skip Remaining…',
    icon: 'debug-continue',
    about: 'Skips everything that is open, with a reason.',
    action: 'skip',
    decides: true,
    menuOnly: true,
  },
  approve: {
    title: 'Review and Approve…',
    icon: 'check',
    about: 'Opens a page to review, edit and approve the document.',
    action: 'approve',
  },
  approveInQuickPick: {
    title: 'Approve in Quick Pick…',
    icon: 'list-selection',
    about: 'Shows the document as text and asks for a decision.',
    action: 'approve',
    menuOnly: true,
  },
  reviewChanges: {
    title: 'Review Changes',
    icon: 'diff-multiple',
    about: 'Opens the next bead to accept.',
    action: 'merge',
    menuOnly: true,
  },
  ...formRows,
  qa: { title: 'Record Manual QA…', icon: 'checklist', about: 'Item by item.', action: 'qa', menuOnly: true },
  replyToAgent: {
    title: 'Answer the Agent…',
    icon: 'comment-unresolved',
    about: 'It’s waiting for you.',
    action: 'question_reply',
    decides: true,
  },
  updateFromBase: {
    title: 'Update from Base…',
    icon: 'repo-pull',
    about: 'Updates the branch to the current base.',
    action: 'update_base',
    decides: true,
    menuOnly: true,
  },
  requestChanges: {
    title: 'Request Changes…',
    icon: 'request-changes',
    about: 'Adds beads for the requested changes.',
    action: 'changes',
  },
  addContext: {
    title: 'Add Context for Agents…',
    icon: 'comment',
    about: 'Information for the agents.',
    action: 'context',
  },
  withdrawContext: {
    title: 'Withdraw Context…',
    icon: 'discard',
    about: 'Withdraw context that agents have yet to receive.',
    action: 'withdraw_context',
    menuOnly: true,
  },
  editContext: {
    title: 'Edit Context…',
    icon: 'edit',
    about: 'Change context that agents have yet to receive.',
    action: 'edit_context',
    menuOnly: true,
  },
  choosePromptParts: {
    title: 'Pin or Exclude Prompt Parts…',
    icon: 'pin',
    about: 'Applies to later prompts.',
    action: 'prompt_rule',
    menuOnly: true,
  },
  previewNextPrompt: {
    title: 'Preview Next Prompt',
    icon: 'eye',
    about: 'It waits until you send it.',
    action: 'preview_prompt',
    menuOnly: true,
  },
  changeLimits: {
    title: 'Change Limits…',
    icon: 'dashboard',
    about: 'Limits on iterations, durations and tokens, effective from the next step.',
    action: 'limits',
  },
  changeModels: {
    title: 'Change Models…',
    icon: 'hubot',
    action: 'change_models',
    menuOnly: true,
  },
  resume: { title: 'Resume', icon: 'debug-start', action: 'resume' },
  openTicket: { title: 'Open Ticket', icon: 'preview', about: 'Opens a page with all details.' },
  whatNext: { title: 'Show Available Actions…', icon: 'ellipsis', target: 'ticket' },
  showArtifact: { title: 'Show Document…', icon: 'file', target: 'ticket' },
  showHistory: { title: 'Show Document History…', icon: 'history', menuOnly: true },
  compareVersions: { title: 'Compare Document Versions…', menuOnly: true },
  compareWithPrevious: { title: 'Compare with Previous Version', icon: 'diff', menuOnly: true },
  openWorktree: { title: 'Open Worktree in New Window', icon: 'empty-window', needs: 'worktree' },
  openTerminal: {
    title: 'Open Terminal in Worktree',
    icon: 'terminal',
    needs: 'worktree',
    trusted: true,
    menuOnly: true,
  },
  copyId: { title: 'Copy Ticket ID', icon: 'copy', menuOnly: true },
  verifyEvidence: {
    title: 'Verify Evidence…',
    icon: 'verified',
    needs: 'changes',
    trusted: true,
    menuOnly: true,
  },
  replayPrompts: { title: 'Replay Prompts', icon: 'replace-all', trusted: true, menuOnly: true },
  exportTicket: { title: 'Export Ticket…', icon: 'export', target: 'ticket' },
  exportContext: { title: 'Export Context of Model Calls…', menuOnly: true },
  rehearse: { title: 'Rehearse with Scripted Answers', trusted: true, menuOnly: true },
  filterTickets: {
    title: 'Filter Tickets…',
    icon: 'filter',
    target: 'editor',
    palette: 'beadsmith.state == ready',
  },
  clearFilter: { title: 'Clear Filter', icon: 'filter-filled', target: 'editor', menuOnly: true },
  sortTickets: { title: 'Sort Tickets…', icon: 'list-ordered', target: 'editor', menuOnly: true },
  loadMore: { title: 'Load More Tickets', icon: 'ellipsis', target: 'editor', menuOnly: true },
  installOpencode: { title: 'Install OpenCode…', icon: 'desktop-download', target: 'editor', trusted: true },
  chooseModels: {
    title: 'Choose Models…',
    icon: 'sparkle',
    about: 'Sets the models of new tickets.',
    target: 'repository',
    trusted: true,
    menuOnly: true,
  },
  openWalkthrough: { title: 'Get Started', target: 'editor' },
  tryDemo: { title: 'Try the Demo Ticket…', icon: 'beaker', target: 'editor', trusted: true },
  removeDemo: { title: 'Remove Demo…', target: 'editor', trusted: true },
  restoreBackup: { title: 'Restore Backup…', target: 'repository', trusted: true },
  cleanUp: { title: 'Clean Up…', target: 'repository', trusted: true },
  showWaiting: {
    title: 'Show Tickets That Need Input',
    target: 'editor',
    palette: `${hasFolder} && !beadsmith.offered || beadsmith.state == ready`,
  },
  refresh: { title: 'Refresh', icon: 'refresh', target: 'editor', menuOnly: true },
  showLog: { title: 'Show Log', target: 'editor' },
  checkSetup: { title: 'Check Setup', icon: 'checklist', target: 'editor' },
  overridePrompt: { title: 'Override Prompt…', icon: 'edit', target: 'editor' },
  reportIssue: { title: 'Report Issue…', icon: 'report', target: 'editor' },
  saveReport: { title: 'Save Report As…', icon: 'save-as', target: 'editor', menuOnly: true },
  copyReport: { title: 'Copy Report', icon: 'copy', target: 'editor', menuOnly: true },
  openIssueForm: { title: 'Open Issue Form', icon: 'link-external', target: 'editor', menuOnly: true },
  setServerPassword: {
    title: 'Set OpenCode Server Password…',
    target: 'editor',
    palette: 'config.beadsmith.opencode.url',
  },
  removeServerPassword: {
    title: 'Remove OpenCode Server Password',
    target: 'editor',
    palette: 'config.beadsmith.opencode.url',
  },
  showDiff: { title: 'Show Changes', icon: 'diff-multiple', needs: 'changes' },
  showFileDiff: { title: 'Show Changes in File…', icon: 'diff', needs: 'changes', menuOnly: true },
  showNextFile: {
    title: 'Show Next File',
    icon: 'arrow-down',
    needs: 'changes',
    menuOnly: true,
    key: { key: 'alt+f6', when: inDiff },
  },
  viewAndNext: {
    title: 'Mark as Viewed and Show Next File',
    icon: 'eye',
    needs: 'changes',
    menuOnly: true,
    key: { key: 'shift+alt+f6', when: inDiff },
  },
  compareIterations: { title: 'Compare Iterations…', icon: 'git-compare', needs: 'changes', menuOnly: true },
  showEvidence: { title: 'Show Evidence', icon: 'beaker', menuOnly: true },
  acceptBead: {
    title: 'Accept Bead',
    icon: 'verified',
    about: 'Records that you accept its changes.',
    action: 'accept_bead',
    decides: true,
    menuOnly: true,
  },
  acceptAndNext: {
    title: 'Accept and Next',
    icon: 'check-all',
    about: 'Accepts a bead, then shows the next one to review.',
    action: 'accept_bead',
    ofLine: true,
    decides: true,
    menuOnly: true,
    key: { key: 'ctrl+alt+enter', mac: 'cmd+alt+enter', when: inDiff },
  },
  rejectBead: {
    title: 'Reject Bead…',
    icon: 'circle-slash',
    about: 'Your reason becomes a fix bead.',
    action: 'changes',
    menuOnly: true,
  },
  sendReview: {
    title: 'Send Comments',
    icon: 'comment-discussion',
    about: 'All draft comments.',
    action: 'changes',
    decides: true,
  },
  showFinding: {
    title: 'Show Finding…',
    icon: 'go-to-file',
    about: 'Opens the diff at its line.',
    needs: 'changes',
    menuOnly: true,
  },
  acceptFinding: {
    title: 'Accept Finding',
    icon: 'check',
    about: 'It’s fixed regardless of its severity.',
    action: 'finding',
    ofLine: true,
    decides: true,
    menuOnly: true,
  },
  dismissFinding: {
    title: 'Dismiss Finding…',
    icon: 'circle-slash',
    about: 'It isn’t fixed, and later reviews receive the reason.',
    action: 'finding',
    ofLine: true,
    menuOnly: true,
  },
  makeBeadOfFinding: {
    title: 'Make Bead from Finding',
    icon: 'add',
    about: 'It becomes a bead of its own.',
    action: 'finding',
    ofLine: true,
    decides: true,
    menuOnly: true,
  },
  sendReviewNote: { title: 'Send Note to Reviewer…', icon: 'comment', action: 'review_note', menuOnly: true },
  showDismissals: { title: 'Show Dismissed Findings…', target: 'repository' },
  decideFailedBead: {
    title: 'Decide About Failed Bead…',
    icon: 'law',
    about: 'Retry, skip, split or replan it.',
    action: 'follow_analysis',
    decides: true,
    menuOnly: true,
  },
  editHandoff: {
    title: 'Edit Received Handoff…',
    icon: 'export',
    about: 'What an earlier ticket left for this one.',
    action: 'edit_handoff',
    menuOnly: true,
  },
  addComment: { title: 'Add Comment', target: 'comment' },
  sendComment: { title: 'Send to Agent', icon: 'comment-discussion', target: 'comment', action: 'changes' },
  editComment: { title: 'Edit Comment', icon: 'edit', target: 'comment' },
  saveComment: { title: 'Save Comment', target: 'comment' },
  cancelEditComment: { title: 'Cancel Edit', target: 'comment' },
  deleteComment: { title: 'Delete Comment', icon: 'trash', target: 'comment' },
  resolveComments: { title: 'Resolve', icon: 'pass', target: 'comment' },
  reopenComments: { title: 'Reopen', icon: 'issue-reopened', target: 'comment' },
  fixComment: { title: 'Fix…', icon: 'tools', target: 'comment', action: 'fix_comment' },
  noteComment: { title: 'Note to Agents…', icon: 'note', target: 'comment', action: 'context' },
  replyComment: { title: 'Reply on GitHub…', icon: 'reply', target: 'comment', action: 'reply_comment' },
  resolveComment: { title: 'Resolve on GitHub…', icon: 'pass', target: 'comment', action: 'reply_comment' },
  undoChange: { title: 'Undo This Change…', icon: 'discard', target: 'comment' },
  suggestEdit: { title: 'Suggest Edit', icon: 'replace', target: 'comment' },
  applySuggestion: {
    title: 'Commit This Edit',
    icon: 'git-commit',
    target: 'comment',
    action: 'suggest_edit',
  },
} as const satisfies Record<string, WrittenRow>;

export type CommandName = keyof typeof commands;
export const commandNames = Object.keys(commands) as readonly CommandName[];

export function commandId(name: CommandName): `beadsmith.${CommandName}` {
  return `beadsmith.${name}`;
}

export function commandRow(name: CommandName): CommandRow {
  return { target: 'ticket', ...commands[name] };
}

export function aboutOf(name: CommandName): string | undefined {
  const { about, action } = commandRow(name);
  return about ?? formIfAny(action)?.about;
}

export function needsTrust(name: CommandName): boolean {
  const { action, trusted = false } = commandRow(name);
  return trusted || action !== undefined;
}

/** Undefined: always. */
export function paletteWhen(name: CommandName): string | undefined {
  const { target, action, needs, menuOnly, palette } = commandRow(name);
  if (menuOnly || target === 'comment') return 'false';
  if (palette !== undefined) return palette;
  if (target === 'repository') return hasFolder;
  if (target !== 'ticket') return undefined;
  // Before the tickets are known, everything is there.
  const offered = (action ?? needs) ? `beadsmith.offered =~ /;${name};/` : 'beadsmith.state == ready';
  return `${hasFolder} && !beadsmith.offered || ${offered}`;
}
