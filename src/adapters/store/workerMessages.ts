import * as z from 'zod';
import { ErrorRecord } from '../../domain/errors.ts';

/** The messages between the store's worker and the thread that uses it. Both are from one build; the messages are validated all the same. */
export const OpenRequest = z.object({ folder: z.string(), drive: z.boolean(), installation: z.string().nullable(), adopt: z.boolean() });

export const Request = z.object({ id: z.number(), method: z.string(), args: z.array(z.unknown()) });
export type Request = z.infer<typeof Request>;

/** `open`: it can be written; with an epoch, it is driven from here. `readable` is false when there is nothing to read either. */
export const Opened = z.object({
  mode: z.enum(['open', 'readOnly']),
  epoch: z.number().nullable(),
  readable: z.boolean(),
  /** The calls which the worker answers; none without a database. */
  methods: z.array(z.string()),
  reason: ErrorRecord.nullable(),
});
export type Opened = z.infer<typeof Opened>;

export const FromWorker = z.discriminatedUnion('type', [
  z.object({ type: z.literal('opened'), opened: Opened }),
  z.object({ type: z.literal('failed'), error: ErrorRecord }),
  z.object({ type: z.literal('answer'), id: z.number(), value: z.unknown() }),
  z.object({ type: z.literal('error'), id: z.number(), error: ErrorRecord }),
  z.object({ type: z.literal('changed') }),
]);
export type FromWorker = z.infer<typeof FromWorker>;
