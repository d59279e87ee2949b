/**
 * The effect of an action on a ticket. `move`: the ticket goes where the row of its status says. `hold`: its
 * hold is set or lifted. `receipt`: a proof is filed while the handler keeps running. `handler`: the action
 * waits in the inbox for the handler of the status.
 */
type Effect = 'move' | 'hold' | 'receipt' | 'handler';

/**
 * A condition of a ticket for an action to be available, apart from its status; see `holds` in
 * `availability.ts`.
 */
export type Condition =
  | 'notPaused'
  | 'held'
  | 'questionAsked'
  | 'permissionAsked'
  | 'sessionInterrupted'
  | 'gapsOpen'
  | 'beadDone'
  | 'beadFailed'
  /** The ticket is blocked. */
  | 'blocked'
  /** The status that a block came from has the action, too. */
  | 'previousAllows';

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
  /** Of a move: something must be done first, by a handler of its own. */
  readonly prepared?: true;
  /** Of a move: something of the ticket changes with it, beside its place. */
  readonly changes?: true;
}

const move = { effect: 'move', interrupts: true } as const;
const hold = { effect: 'hold', interrupts: true } as const;
const receipt = { effect: 'receipt', interrupts: false } as const;
const handler = { effect: 'handler', interrupts: false } as const;

/**
 * The actions that a person (or a forge, or a timer acting for one) can take on a ticket. Each is also a kind
 * of inbox entry. The rows of the statuses that have an action say where it leads and what it archives.
 */
export const actions = defineActions({
  start: handler,
  answer: handler,
  skip: handler,
  approve: handler,
  /** An edit of an approved document is a move instead, where the row says so: see `moveOf`. */
  edit: handler,
  fix_gaps: { ...handler, when: ['gapsOpen'] },
  check_again: handler,
  regenerate: handler,
  qa: handler,
  retry: move,
  continue: { ...move, keepsRun: true, when: ['sessionInterrupted'] },
  cancel: { ...move, prepared: true },
  merge: handler,
  update_base: move,
  close: handler,
  changes: handler,
  accept_bead: { ...receipt, when: ['beadDone'] },
  suggest_edit: handler,
  finding: handler,
  review_note: handler,
  context: handler,
  withdraw_context: receipt,
  edit_context: receipt,
  prompt_rule: receipt,
  preview_prompt: receipt,
  question_reply: { ...handler, when: ['questionAsked'] },
  permission_reply: { ...handler, when: ['permissionAsked'] },
  pause: { ...hold, hold: 'paused', when: ['notPaused'] },
  resume: { ...hold, hold: null, when: ['held'] },
  rewind_setup: move,
  plan_in_full: { ...move, changes: true },
  limits: receipt,
  /** The decision about a bead that failed: as its analysis says, or otherwise. */
  follow_analysis: { ...move, when: ['beadFailed'] },
  edit_handoff: receipt,
});

/** The name of an action. */
export type ActionName = keyof typeof actions;

/** Every action. */
export const actionNames = Object.keys(actions) as readonly ActionName[];

/** The actions that file a receipt. `phases/index.ts` must build one for each. */
export type ReceiptAction = {
  [A in ActionName]: (typeof actions)[A]['effect'] extends 'receipt' ? A : never;
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
