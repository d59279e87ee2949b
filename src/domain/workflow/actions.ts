import type { ActionForm, Condition, TextField } from './formFields.ts';
import { pullRequestForms } from './pullRequestForms.ts';

/**
 * The effect of an action on a ticket. `move`: the ticket goes where the row of its status says. `hold`: its
 * hold is set or lifted. `receipt`: a proof is filed while the handler keeps running. `handler`: the action
 * waits in the inbox for the handler of the status.
 */
type Effect = 'move' | 'hold' | 'receipt' | 'handler';

/** One action: everything about it that is the same in every status. */
interface ActionDefinition {
  readonly effect: Effect;
  /** True if the engine ends a running handler to carry it out. */
  readonly interrupts: boolean;
  readonly when?: readonly Condition[];
  /** Of an action with the effect `hold`: the hold that the ticket has afterwards. */
  readonly hold?: 'paused' | null;
  /** Of a move: the open run continues. Any other move archives it. */
  readonly keepsRun?: true;
  /** Of a move to a gate: the open run continues, if only its commits were refused by a remote. */
  readonly keepsDecision?: true;
  /** Of a move: something must be done first, by a handler of its own. */
  readonly prepared?: true;
  /** Of a move: something of the ticket changes with it, beside its place. */
  readonly changes?: true;
  /** It decides nothing, so that no person has to confirm it. */
  readonly decidesNothing?: true;
  /** Its words and fields, unless a surface of its own asks for them. */
  readonly form?: ActionForm;
}

const move = { effect: 'move', interrupts: true } as const;
const hold = { effect: 'hold', interrupts: true } as const;
const receipt = { effect: 'receipt', interrupts: false } as const;
const handler = { effect: 'handler', interrupts: false } as const;

const note = {
  kind: 'text',
  label: 'Note',
  about: 'Note for the next attempt.',
  placeholder: 'What should be done differently?',
  most: 20_000,
  asked: true,
} as const satisfies TextField;
const reason = {
  kind: 'text',
  label: 'Reason',
  about: 'Reason, stored in the receipt.',
  most: 20_000,
} as const satisfies TextField;
const keepWorktree = {
  option: 'keep-worktree',
  about: 'Keep the worktree, whatever the setting of the ticket says.',
} as const;
const deleteWorktree = {
  kind: 'flag',
  about: 'Also delete the worktree; its changes are kept under a ref.',
  needs: 'worktree',
} as const;

/**
 * The actions that a person (or a forge, or a timer acting for one) can take on a ticket. Each is also a kind
 * of inbox entry. The rows of the statuses that have an action say where it leads and what it archives.
 */
export const actions = defineActions({
  start: handler,
  answer: handler,
  skip: handler,
  approve: {
    ...handler,
    form: {
      about: 'Approve the document at the gate.',
      fields: {
        reason: {
          kind: 'text',
          label: 'Reason for approving with gaps',
          about: 'Reason for the approval, stored in the receipt. Required if gaps are open.',
          most: 20_000,
          needed: { when: 'gapsOpen', code: 'REASON_MISSING' },
        },
      },
    },
  },
  /** An edit of an approved document is a move instead, where the row says so: see `moveOf`. */
  edit: handler,
  fix_gaps: {
    ...handler,
    when: ['gapsOpen'],
    form: {
      command: {
        title: 'Fix Open Gaps',
        icon: 'wand',
        menu: { group: 'gate', order: 8 },
        decides: true,
        menuOnly: true,
      },
      about: 'Fix the gaps that the coverage check found.',
      fields: {},
    },
  },
  check_again: {
    ...handler,
    form: {
      command: {
        title: 'Check Again',
        icon: 'search',
        menu: { group: 'gate', order: 9 },
        decides: true,
        menuOnly: true,
      },
      about: 'Check the document again without changing it, for example after an edit.',
      fields: {},
    },
  },
  regenerate: {
    ...handler,
    form: {
      command: {
        title: 'Regenerate…',
        icon: 'refresh',
        menu: { group: 'gate', order: 10 },
        decides: true,
        menuOnly: true,
      },
      about: 'Archive the current version and draft a new one; answers of an interview are kept.',
      fields: { note },
    },
  },
  qa: handler,
  retry: {
    ...move,
    keepsDecision: true,
    form: {
      command: {
        title: 'Retry with Note…',
        icon: 'refresh',
        menu: { group: 'go', order: 8, inline: 4 },
        decides: true,
      },
      about: 'Restart a blocked status; while coding, only the failed bead.',
      fields: { note },
    },
  },
  continue: {
    ...move,
    keepsRun: true,
    when: ['sessionInterrupted'],
    form: {
      command: { title: 'Continue', icon: 'debug-continue', menu: { group: 'go', order: 9 }, decides: true },
      about: 'Resume the interrupted session of a blocked ticket.',
      fields: {},
    },
  },
  cancel: {
    ...move,
    prepared: true,
    form: {
      command: { title: 'Cancel Ticket…', icon: 'circle-slash', menu: { group: 'end', order: 12 } },
      about: 'Cancel a ticket for good; its branch is kept.',
      fields: { reason, deleteWorktree: { ...deleteWorktree, button: 'Cancel and Delete Worktree' } },
      confirmation: {
        question: 'Cancel {ticket}? A canceled ticket can’t be resumed.',
        detail: '“{title}” can’t be reopened. Its branch is kept.',
        button: 'Cancel Ticket',
      },
    },
  },
  merge: {
    ...handler,
    when: ['mergedHere'],
    form: {
      command: { title: 'Merge…', icon: 'git-merge', menu: { group: 'go', order: 5, inline: 5 } },
      about: 'Merge into the base branch and complete the ticket.',
      fields: {
        deleteWorktree: { ...deleteWorktree, button: 'Merge and Remove Worktree', no: keepWorktree },
      },
      confirmation: {
        question: 'Merge {branch} into {base}?',
        detail: 'Updates the base branch, and its checkout if there is one and it’s clean.',
        button: 'Merge',
      },
    },
  },
  create_pull_request: {
    ...handler,
    form: pullRequestForms.create_pull_request,
  },
  /** The handler looks itself, so that the watch may take it without a person. */
  check_pull_request: {
    ...handler,
    decidesNothing: true,
    when: ['published'],
    form: pullRequestForms.check_pull_request,
  },
  rerun_checks: {
    ...handler,
    when: ['published', 'checksFailed'],
    form: pullRequestForms.rerun_checks,
  },
  fix_checks: {
    ...handler,
    when: ['published', 'checksFailed'],
    form: pullRequestForms.fix_checks,
  },
  merge_pull_request: {
    ...handler,
    when: ['published'],
    form: pullRequestForms.merge_pull_request,
  },
  unplan_merge: {
    ...handler,
    when: ['published', 'mergePlanned'],
    form: pullRequestForms.unplan_merge,
  },
  close_pull_request: {
    ...handler,
    when: ['published'],
    form: pullRequestForms.close_pull_request,
  },
  /** Of people without write access, `shown` says that the person read all of it. */
  fix_comment: {
    ...handler,
    when: ['published'],
    form: pullRequestForms.fix_comment,
  },
  reply_comment: {
    ...handler,
    when: ['published'],
    form: pullRequestForms.reply_comment,
  },
  undo_merge: {
    ...move,
    prepared: true,
    when: ['merged'],
    form: {
      command: {
        title: 'Undo Merge…',
        icon: 'discard',
        menu: { group: 'go', order: 5 },
        menuOnly: true,
      },
      about: 'Undo the merge while nothing stands on it, and return to the review.',
      fields: {},
      confirmation: {
        question: 'Undo the merge of {branch} into {base}?',
        detail:
          '{base} and its checkout go back to before the merge, and {ticket} to the review of its pull request. The retrospective is archived. The merge stays if anything else already has it.',
        button: 'Undo Merge',
      },
    },
  },
  update_base: move,
  close: {
    ...handler,
    form: {
      command: {
        title: 'Close Without Merging…',
        icon: 'pass',
        menu: { group: 'gate', order: 6 },
        menuOnly: true,
      },
      about: 'Complete the ticket without merging; the branch is kept.',
      fields: {
        reason,
        deleteWorktree: { ...deleteWorktree, button: 'Close and Remove Worktree', no: keepWorktree },
      },
      confirmation: {
        question: 'Close {ticket} without merging?',
        detail: 'The branch {branch} is kept. The ticket is completed and can’t be reopened.',
        button: 'Close Without Merging',
      },
    },
  },
  changes: handler,
  accept_bead: { ...receipt, when: ['beadDone'] },
  suggest_edit: handler,
  finding: handler,
  review_note: {
    ...handler,
    form: {
      about:
        'Send a note to the reviewer: included in the current review if it’s still running, otherwise in the next one.',
      fields: {
        text: {
          kind: 'text',
          label: 'Note to the reviewer',
          about:
            'What should the reviewer know? Included in the current review if it’s still running; otherwise in the next one.',
          most: 20_000,
          needed: 'always',
        },
      },
      done: 'Note to the reviewer sent.',
    },
  },
  context: handler,
  withdraw_context: receipt,
  edit_context: receipt,
  prompt_rule: receipt,
  preview_prompt: receipt,
  question_reply: { ...handler, when: ['questionAsked'] },
  permission_reply: { ...handler, when: ['permissionAsked'] },
  pause: {
    ...hold,
    hold: 'paused',
    when: ['notPaused'],
    form: {
      command: { title: 'Pause', icon: 'debug-pause', menu: { group: 'steer', order: 10 } },
      about: 'Pause a ticket after its current step.',
      fields: {},
    },
  },
  resume: { ...hold, hold: null, when: ['held'] },
  rewind_setup: {
    ...move,
    form: {
      command: {
        title: 'Return to Setup Plan…',
        icon: 'discard',
        menu: { group: 'steer', order: 13 },
        menuOnly: true,
      },
      about: 'Return to the approval of the setup plan.',
      fields: {},
      confirmation: {
        question: 'Return {ticket} to its setup plan?',
        detail: 'You approve the plan again, and the environment is prepared again.',
        button: 'Return to Setup Plan',
      },
    },
  },
  plan_in_full: {
    ...move,
    changes: true,
    form: {
      command: {
        title: 'Plan in Full…',
        icon: 'organization',
        menu: { group: 'gate', order: 11 },
        decides: true,
        menuOnly: true,
      },
      about: 'Plan a quick ticket with interview and council; the scan and your answers are kept.',
      fields: {
        note: {
          ...note,
          about: 'Note for every later call.',
          placeholder: 'What should every later call know?',
        },
      },
    },
  },
  wait_at_gates: {
    ...receipt,
    when: ['passesGates'],
    form: {
      command: {
        title: 'Wait at Every Gate',
        icon: 'shield',
        menu: { group: 'steer', order: 16 },
        decides: true,
        menuOnly: true,
      },
      about: 'Wait for you at every gate, from the next one on.',
      fields: {},
      done: 'From the next gate on, every gate waits for you.',
    },
  },
  pass_gates: {
    ...receipt,
    when: ['waitsAtGates'],
    form: {
      command: {
        title: 'Pass Gates by Policy…',
        icon: 'run-all',
        menu: { group: 'steer', order: 17 },
        menuOnly: true,
      },
      about: 'Pass gates that leave you nothing to decide, from the next one on.',
      fields: {},
      confirmation: {
        question: 'Pass gates of {ticket} by policy?',
        detail:
          'From the next gate on, one that leaves you nothing to decide is passed. A receipt says by which rule. All others wait for you.',
        button: 'Pass Gates',
      },
    },
  },
  limits: receipt,
  change_models: {
    ...receipt,
    form: {
      about:
        'Change the models of a started ticket, from the next call on. A council that is drafting or voting keeps its members.',
      fields: {
        mainImplementer: {
          kind: 'model',
          option: 'model',
          about: 'Model that plans and codes.',
        },
        councilMembers: {
          kind: 'model',
          option: 'council',
          many: true,
          about: 'Additional council members; "none" for a council of one.',
        },
        secondImplementer: {
          kind: 'model',
          option: 'second-model',
          about: 'Model that codes after two failures; "none" for no other model.',
        },
        reviewer: {
          kind: 'model',
          option: 'reviewer',
          about: 'Model that reviews; "none" for a council member.',
        },
      },
    },
  },
  /** The decision about a bead that failed: as its analysis says, or otherwise. */
  follow_analysis: { ...move, when: ['beadFailed'] },
  /** Of an earlier version's inbox; now `edit_document`, where the ticket has this action. */
  edit_handoff: receipt,
  /** In no row: a ticket has it where it has the action of the document. */
  edit_document: receipt,
});

/** The name of an action. */
export type ActionName = keyof typeof actions;

/** Every action. */
export const actionNames = Object.keys(actions) as readonly ActionName[];

/** The actions that file a receipt. `phases/index.ts` must build one for each. */
export type ReceiptAction = {
  [A in ActionName]: (typeof actions)[A]['effect'] extends 'receipt' ? A : never;
}[ActionName];

/** The moves that a handler of their own prepares. `phases/index.ts` must implement each. */
export type PreparedMove = {
  [A in ActionName]: (typeof actions)[A] extends { readonly prepared: true } ? A : never;
}[ActionName];

/** The moves that change something of the ticket. `phases/index.ts` must build the changes of each. */
export type ChangingMove = {
  [A in ActionName]: (typeof actions)[A] extends { readonly changes: true } ? A : never;
}[ActionName];

/** An action read as data. */
export function definitionOf(action: ActionName): ActionDefinition {
  return actions[action];
}

function defineActions<const T extends Readonly<Record<string, ActionDefinition>>>(table: T): T {
  return table;
}
