import * as z from 'zod';

/** Live events for views and the CLI. They are hints: nothing is proved by an event. */
export const TicketEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('status'),
    ticket: z.string(),
    at: z.number(),
    from: z.string(),
    to: z.string(),
    by: z.string(),
  }),
  z.object({
    type: z.literal('step'),
    ticket: z.string(),
    at: z.number(),
    run: z.string(),
    key: z.string(),
    state: z.enum(['started', 'done', 'failed', 'replayed']),
  }),
  z.object({
    type: z.literal('bead'),
    ticket: z.string(),
    at: z.number(),
    bead: z.string(),
    iteration: z.number().int(),
    state: z.string(),
    done: z.number().int(),
    total: z.number().int(),
  }),
  /**
   * A stage of a bead's iteration starts, or is over after `ms`, waiting included. `exit` is null while it
   * runs and when it failed; then `error` says why, and `skipped` whether the iteration continues without it.
   * `label` is the one of its row (`beadStages`).
   */
  z.object({
    type: z.literal('stage'),
    ticket: z.string(),
    at: z.number(),
    bead: z.string(),
    iteration: z.number().int(),
    stage: z.string(),
    label: z.string(),
    state: z.enum(['started', 'done', 'failed']),
    exit: z.string().nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    skipped: z.boolean(),
    ms: z.number(),
  }),
  z.object({
    type: z.literal('waiting'),
    ticket: z.string(),
    at: z.number(),
    status: z.string(),
    kinds: z.array(z.string()),
  }),
  /** `until`: when the ticket continues by itself, if it does. */
  z.object({
    type: z.literal('hold'),
    ticket: z.string(),
    at: z.number(),
    hold: z.string().nullable(),
    detail: z.string(),
    until: z.number().nullable().optional(),
  }),
  z.object({
    type: z.literal('blocked'),
    ticket: z.string(),
    at: z.number(),
    code: z.string(),
    message: z.string(),
    nextStep: z.string(),
  }),
  /** The driver refused a decision, because nothing shows that a person made it. */
  z.object({
    type: z.literal('refused'),
    ticket: z.string(),
    at: z.number(),
    action: z.string(),
    code: z.string(),
    message: z.string(),
  }),
  z.object({
    type: z.literal('activity'),
    ticket: z.string(),
    at: z.number(),
    source: z.string(),
    kind: z.enum(['text', 'reasoning', 'tool', 'retry', 'command', 'info']),
    text: z.string(),
  }),
  /** A model call ended. `prompt`: the name of the prompt file. */
  z.object({
    type: z.literal('call'),
    ticket: z.string(),
    at: z.number(),
    member: z.string(),
    prompt: z.string(),
    outcome: z.enum(['accepted', 'rejected', 'failed']),
    ms: z.number(),
  }),
]);
export type TicketEvent = z.infer<typeof TicketEvent>;
