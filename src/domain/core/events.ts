import * as z from 'zod';
import { jsonOf } from '../../base/json.ts';
import { ToolCall } from './toolCall.ts';

const ofTicket = { ticket: z.string(), at: z.number() };

/** Live events for views and the CLI: hints that prove nothing. */
export const TicketEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('status'),
    ...ofTicket,
    from: z.string(),
    to: z.string(),
    by: z.string(),
  }),
  z.object({
    type: z.literal('step'),
    ...ofTicket,
    run: z.string(),
    key: z.string(),
    state: z.enum(['started', 'done', 'failed', 'replayed']),
  }),
  z.object({
    type: z.literal('bead'),
    ...ofTicket,
    bead: z.string(),
    iteration: z.number().int(),
    state: z.string(),
    done: z.number().int(),
    total: z.number().int(),
  }),
  /**
   * `exit` is null while it runs and if it failed; `skipped`: the iteration continues without it. `ms`
   * includes waiting.
   */
  z.object({
    type: z.literal('stage'),
    ...ofTicket,
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
    ...ofTicket,
    status: z.string(),
    kinds: z.array(z.string()),
  }),
  z.object({
    type: z.literal('hold'),
    ...ofTicket,
    hold: z.string().nullable(),
    detail: z.string(),
    until: z.number().nullable().optional(),
  }),
  z.object({
    type: z.literal('blocked'),
    ...ofTicket,
    code: z.string(),
    message: z.string(),
    nextStep: z.string(),
  }),
  /** Nothing shows that a person made the decision. */
  z.object({
    type: z.literal('refused'),
    ...ofTicket,
    action: z.string(),
    code: z.string(),
    message: z.string(),
  }),
  /**
   * `part`: what it is a piece or a state of; `offset`: a piece's place in its text, so that pieces may come
   * twice and in any order.
   */
  z.object({
    type: z.literal('activity'),
    ...ofTicket,
    source: z.string(),
    kind: z.enum(['text', 'reasoning', 'tool', 'retry', 'command', 'info']),
    text: z.string(),
    bead: z.string().optional(),
    iteration: z.number().int().optional(),
    part: z.string().optional(),
    offset: z.number().int().nonnegative().optional(),
    call: ToolCall.optional(),
  }),
  z.object({
    type: z.literal('call'),
    ...ofTicket,
    member: z.string(),
    prompt: z.string(),
    outcome: z.enum(['accepted', 'rejected', 'failed']),
    ms: z.number(),
  }),
]);
export type TicketEvent = z.infer<typeof TicketEvent>;

/** True for a piece of what a model writes or thinks. */
export function isSpeech(event: TicketEvent): boolean {
  return event.type === 'activity' && (event.kind === 'text' || event.kind === 'reasoning');
}

/** The event of a line; undefined for an unreadable one, such as a half-written line. */
export function parsedEvent(line: string): TicketEvent | undefined {
  return TicketEvent.safeParse(jsonOf(line)).data;
}
