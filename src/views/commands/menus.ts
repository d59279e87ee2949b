import { type CommandName, commandId, formCommands, inDiff, inDraft, needsTrust } from './commands.ts';

interface MenuPlace {
  readonly command: CommandName;
  /** Group and position, as the editor orders them. */
  readonly at: string;
  readonly when?: string;
  /** True if it needs a trusted workspace, where the command's row doesn't say so. */
  readonly trusted?: boolean;
}

const ofReview = 'commentController == beadsmith-review';
const ofForge = 'commentController == beadsmith-forge';
const ofFindings = 'commentController == beadsmith-findings';
/** The address ends with the bead: that of an iteration says more, and that of a ticket less. */
const ofBead = `${inDiff} && resource =~ /%22bead%22%3A%22[a-z0-9-]+%22%7D$/`;
const ofReport = 'resourceScheme == beadsmith-support && resourceFilename == report.md';
const ofImport = 'resourceScheme == beadsmith-support && resourceFilename == import.md';
const inDocument = 'resourceScheme == beadsmith';
const onTicket = 'viewItem =~ /^ticket;/';
const onBead = 'viewItem =~ /^bead;/';

const places = {
  'comments/commentThread/context': [
    { command: 'addComment', at: 'inline@1', when: ofReview },
    { command: 'sendComment', at: 'inline@2', when: ofReview },
    { command: 'suggestEdit', at: 'inline@3', when: ofReview, trusted: true },
    { command: 'replyComment', at: 'inline@1', when: ofForge },
  ],
  'comments/commentThread/title': [
    { command: 'acceptFinding', at: 'inline@1', when: `${ofFindings} && commentThread =~ /;undecided;/` },
    { command: 'dismissFinding', at: 'inline@2', when: `${ofFindings} && commentThread =~ /;undecided;/` },
    { command: 'makeBeadOfFinding', at: 'inline@3', when: `${ofFindings} && commentThread =~ /;undecided;/` },
    { command: 'fixComment', at: 'inline@1', when: `${ofForge} && commentThread =~ /;fix;/` },
    { command: 'noteComment', at: 'inline@2', when: `${ofForge} && commentThread =~ /;fix;/` },
    { command: 'resolveComment', at: 'inline@3', when: `${ofForge} && commentThread =~ /;resolve;/` },
    { command: 'sendComment', at: 'inline@1', when: `${ofReview} && commentThread =~ /;draft;/` },
    {
      command: 'suggestEdit',
      at: 'inline@2',
      when: `${ofReview} && !commentThreadIsEmpty && commentThread =~ /;open;/`,
      trusted: true,
    },
    {
      command: 'resolveComments',
      at: 'inline@3',
      when: `${ofReview} && commentThread =~ /;open;/`,
      trusted: true,
    },
    {
      command: 'reopenComments',
      at: 'inline@3',
      when: `${ofReview} && commentThread =~ /;resolved;/`,
      trusted: true,
    },
  ],
  'comments/comment/title': [
    { command: 'applySuggestion', at: 'inline@1', when: `${ofReview} && comment =~ /;draft;suggestion;/` },
    { command: 'applySuggestion', at: 'inline@1', when: `${ofForge} && comment =~ /;suggestion;/` },
    { command: 'editComment', at: 'inline@2', when: `${ofReview} && comment =~ /;draft;/`, trusted: true },
    { command: 'deleteComment', at: 'inline@3', when: `${ofReview} && comment =~ /;draft;/`, trusted: true },
  ],
  'comments/comment/context': [
    { command: 'saveComment', at: 'inline@1', when: ofReview },
    { command: 'cancelEditComment', at: 'inline@2', when: ofReview },
  ],
  'view/title': [
    { command: 'newTicket', at: 'navigation@1', when: 'workbenchState != empty' },
    { command: 'newLoop', at: '1_new@1', when: 'workbenchState != empty', trusted: false },
    { command: 'importTickets', at: '1_new@2', when: 'workbenchState != empty' },
    { command: 'showLog', at: '9_log@1' },
    {
      command: 'filterTickets',
      at: 'navigation@2',
      when: 'workbenchState != empty && !beadsmith.isFiltered',
    },
    { command: 'clearFilter', at: 'navigation@2', when: 'beadsmith.isFiltered' },
    { command: 'refresh', at: 'navigation@3', when: 'workbenchState != empty' },
    { command: 'filterTickets', at: '1_list@1', when: 'workbenchState != empty' },
    { command: 'sortTickets', at: '1_list@2', when: 'workbenchState != empty' },
    { command: 'clearFilter', at: '1_list@3', when: 'beadsmith.isFiltered' },
    { command: 'chooseModels', at: '2_setup@1', when: 'beadsmith.state =~ /^(?:ready|empty)$/' },
    { command: 'checkSetup', at: '9_log@2' },
    { command: 'reportIssue', at: '9_log@3' },
  ],
  // Of a ticket only what people look for there: *Show Available Actions…* has all of it.
  'view/item/context': [
    { command: 'showDiff', at: 'inline@1', when: onBead },
    { command: 'showDiff', at: '5_look@1' },
    { command: 'showDiff', at: '5_look@1', when: onBead },
    { command: 'reviewChanges', at: 'inline@4' },
    { command: 'reviewChanges', at: '1_go@4' },
    { command: 'showFileDiff', at: '5_look@2', when: onBead },
    { command: 'compareIterations', at: '5_look@3', when: onBead },
    { command: 'showEvidence', at: '5_look@4', when: 'viewItem =~ /^bead;done;/' },
    { command: 'acceptBead', at: 'inline@2', when: 'viewItem =~ /^bead;.*;acceptBead;/' },
    { command: 'acceptBead', at: '1_go@1', when: 'viewItem =~ /^bead;.*;acceptBead;/' },
    { command: 'rejectBead', at: '1_go@2', when: 'viewItem =~ /^bead;.*;rejectBead;/' },
    { command: 'decideFailedBead', at: '1_go@6' },
    { command: 'newTicket', at: 'inline@1', when: 'viewItem == repository' },
    { command: 'start', at: 'inline@1' },
    { command: 'answer', at: 'inline@2' },
    { command: 'openInterview', at: 'inline@2' },
    { command: 'openInterview', at: '1_go@2' },
    { command: 'approve', at: 'inline@3' },
    { command: 'resume', at: 'inline@6' },
    { command: 'start', at: '1_go@1' },
    { command: 'editDraft', at: 'inline@2' },
    { command: 'editDraft', at: '1_go@2' },
    { command: 'setPriority', at: '1_go@3' },
    { command: 'answer', at: '1_go@2' },
    { command: 'approve', at: '1_go@3' },
    { command: 'updateFromBase', at: '2_gate@5' },
    { command: 'requestChanges', at: '2_gate@7' },
    { command: 'resume', at: '3_steer@11' },
    { command: 'openTicket', at: '0_next@12', when: onTicket },
    { command: 'whatNext', at: '0_next@13', when: onTicket },
    { command: 'showArtifact', at: '5_look@14', when: onTicket },
    { command: 'replyToAgent', at: 'inline@8' },
    { command: 'replyToAgent', at: '1_go@0' },
    { command: 'qa', at: '1_go@20' },
    { command: 'qa', at: 'inline@7' },
    { command: 'addContext', at: '3_steer@12' },
    { command: 'openWorktree', at: '5_look@15' },
    { command: 'openTerminal', at: '5_look@16' },
    { command: 'copyId', at: '9_copy@17', when: onTicket },
    { command: 'exportTicket', at: '9_copy@18', when: onTicket },
    { command: 'showHistory', at: '5_look@1', when: 'viewItem =~ /^artifact;/' },
    { command: 'compareWithPrevious', at: '5_look@2', when: 'viewItem =~ /^(?:artifact;|version$)/' },
  ],
  'editor/title': [
    { command: 'acceptBead', at: 'navigation@1', when: `${ofBead} && beadsmith.offered =~ /;acceptBead;/` },
    {
      command: 'acceptAndNext',
      at: 'navigation@2',
      when: `${ofBead} && beadsmith.offered =~ /;acceptBead;/`,
    },
    { command: 'rejectBead', at: 'navigation@3', when: `${ofBead} && beadsmith.offered =~ /;rejectBead;/` },
    { command: 'sendReview', at: 'navigation@4', when: inDiff },
    { command: 'showNextFile', at: '1_review@1', when: inDiff },
    { command: 'viewAndNext', at: '1_review@1', when: ofBead },
    { command: 'showEvidence', at: '1_review@2', when: inDiff },
    { command: 'compareIterations', at: '1_review@3', when: inDiff },
    {
      command: 'approve',
      at: 'navigation@1',
      when: `${inDocument} && resource in beadsmith.documentsAtGate`,
    },
    { command: 'compareWithPrevious', at: 'navigation@2', when: `${inDocument} && !isInDiffEditor` },
    { command: 'showHistory', at: 'navigation@3', when: inDocument },
    { command: 'compareVersions', at: '1_diff@1', when: inDocument },
    { command: 'startDraft', at: 'navigation@1', when: inDraft },
    { command: 'chooseDepth', at: '1_start@1', when: inDraft },
    { command: 'chooseBase', at: '1_start@2', when: inDraft },
    { command: 'chooseDraftModels', at: '1_start@3', when: inDraft },
    { command: 'saveDraft', at: '2_save@1', when: inDraft },
    { command: 'importShown', at: 'navigation@1', when: ofImport },
    { command: 'saveReport', at: 'navigation@1', when: ofReport },
    { command: 'copyReport', at: 'navigation@2', when: ofReport },
    { command: 'openIssueForm', at: 'navigation@3', when: ofReport },
    {
      command: 'checkSetup',
      at: 'navigation@1',
      when: 'resourceScheme == beadsmith-support && resourceExtname == .txt',
    },
  ],
  'editor/context': [
    { command: 'undoChange', at: 'z_beadsmith@1', when: ofBead, trusted: true },
    {
      command: 'newTicketFromEditor',
      at: 'z_beadsmith@1',
      when: 'editorHasSelection && resourceScheme == file',
    },
  ],
} as const satisfies Readonly<Record<string, readonly MenuPlace[]>>;

export interface MenuItem {
  readonly command: string;
  readonly when: string;
  readonly group: string;
}

/** Every menu but the palette, by the editor's name of it. */
export function menuItems(): Readonly<Record<string, readonly MenuItem[]>> {
  return Object.fromEntries(
    Object.entries<readonly MenuPlace[]>(places).map(([menu, items]) => {
      const all = menu === 'view/item/context' ? [...items, ...formPlaces()] : items;
      return [menu, all.map((item) => itemOf(menu, item))];
    }),
  );
}

const groups = { go: '1_go', gate: '2_gate', steer: '3_steer', end: '4_end' } as const;

function formPlaces(): readonly MenuPlace[] {
  return Array.from(formCommands).flatMap(
    ([
      command,
      {
        menu: { group, order, inline, row },
      },
    ]) => {
      const when = row === undefined ? {} : { when: `viewItem == ${row}` };
      return [
        { command, at: `${groups[group]}@${String(order)}`, ...when },
        ...(inline === undefined ? [] : [{ command, at: `inline@${String(inline)}`, ...when }]),
      ];
    },
  );
}

function itemOf(menu: string, { command, at, when, trusted = needsTrust(command) }: MenuPlace): MenuItem {
  const conditions = [
    ...(menu.startsWith('view/') ? ['view == beadsmith.tickets'] : []),
    ...(when === undefined && menu === 'view/item/context' ? [`viewItem =~ /;${command};/`] : []),
    ...(when === undefined ? [] : [when]),
    ...(trusted ? ['isWorkspaceTrusted'] : []),
  ];
  return { command: commandId(command), when: conditions.join(' && '), group: at };
}
