/** What rows of the workflow table have in common. */

export const here = { to: 'self' } as const;
export const cancel = { to: 'CANCELED' } as const;

/** What may be done to any ticket that was started and isn't over: cancel it, tell the agents something, answer an agent, pause, change its limits. */
export const running = {
  ...{ cancel, context: here, question_reply: here, permission_reply: here },
  ...{ pause: here, resume: here, limits: here },
} as const;

/** From the first bead on, what a bead came to can be accepted. */
export const delivering = { ...running, accept_bead: here } as const;

/** A person's request or own edit, at a gate after coding: the work goes back, and is tested and integrated anew. */
export const backToCoding = { to: 'CODING', archivesFrom: 'RUNNING_FINAL_TEST' } as const;

/** An edit of an approved artifact rewinds: later attempts are archived and planning goes on from the edited document (LoopTroop 1.7). */
export const rewindToPrd = { to: 'DRAFTING_PRD', archivesFrom: 'DRAFTING_PRD' } as const;
export const rewindToBeads = { to: 'DRAFTING_BEADS', archivesFrom: 'DRAFTING_BEADS' } as const;

export const auto = { column: 'In Progress', kind: 'auto', blockable: true, cancelable: true } as const;
export const gate = { column: 'Needs Input', kind: 'gate', blockable: true, cancelable: true } as const;
export const terminal = {
  column: 'Done',
  kind: 'terminal',
  handler: 'rest',
  contexts: [],
  exits: {},
  actions: {},
  blockable: false,
  cancelable: false,
} as const;
