import * as z from 'zod';
import { ErrorRecord, BeadsmithError } from '../../../domain/core/errors.ts';
import type { StoreCalls, StoreListener, StoreWrites, Transaction } from '../../../engine/ports/storePort.ts';

/**
 * The messages between the store's worker and the thread that uses it. Both are from one build; the messages
 * are validated all the same.
 */
export const OpenRequest = z.object({
  folder: z.string(),
  drive: z.boolean(),
  installation: z.string().nullable(),
  adopt: z.boolean(),
  /** The one whose writes these are: their ids are unique among its own. */
  writer: z.string(),
  /** Of a driver whose thread died: the epoch under which it drives on, unless another process took over. */
  epoch: z.number().nullable(),
});
export type WorkerOptions = z.infer<typeof OpenRequest>;

/** Time that a call waits for a lock before it says so, and between repetitions, in milliseconds. */
export const sayWaitingMs = 2_000;

/** `again`: a thread that died may have carried it out already. */
export const Request = z.object({
  id: z.number(),
  method: z.string(),
  args: z.array(z.unknown()),
  again: z.boolean(),
});
export type Request = z.infer<typeof Request>;

/**
 * `open`: it can be written; with an epoch, it is driven from here. `readable` is false when there is nothing
 * to read either.
 */
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
  /** Another process holds the lock that this call needs. Sent again and again. */
  z.object({ type: z.literal('waiting'), id: z.number() }),
]);
export type FromWorker = z.infer<typeof FromWorker>;

type StoreMethod = keyof StoreCalls;

/**
 * The calls of the store port as synchronous functions: what the thread of the database runs. Their types
 * follow from the port.
 */
export type SyncCalls = {
  readonly [M in StoreMethod]: (...args: Parameters<StoreCalls[M]>) => Awaited<ReturnType<StoreCalls[M]>>;
};

const writes: { readonly [M in keyof StoreWrites]: true } = {
  commit: true,
  createTicket: true,
  post: true,
  addActive: true,
  saveReviewThread: true,
  removeReviewThread: true,
  changeDismissal: true,
  removeDismissal: true,
};

/** Checks whether a call changes the database. */
export function isWrite(method: string): boolean {
  return Object.hasOwn(writes, method);
}

/**
 * A store whose calls are all made in one way: by name, in the thread of the database. `methods` are the
 * names which that thread has.
 */
export function storeCalls(
  methods: readonly string[],
  call: (method: string, args: readonly unknown[]) => Promise<unknown>,
): StoreCalls {
  const calls = methods.map((method) => [method, (...args: readonly unknown[]) => call(method, args)]);
  // The other side runs the very functions whose types are those of the port.
  return Object.fromEntries(calls) as StoreCalls;
}

/** Makes a call in the thread of the database. UNEXPECTED when it has none of this name. */
export function callSync(calls: SyncCalls, method: string, args: readonly unknown[]): unknown {
  if (!isMethod(calls, method))
    throw new BeadsmithError('UNEXPECTED', { reason: `the database has no call ${method}` });
  const call: (...args: never) => unknown = calls[method];
  return Reflect.apply(call, undefined, args);
}

function isMethod(calls: SyncCalls, method: string): method is StoreMethod {
  return Object.hasOwn(calls, method);
}

/** True if a commit writes nothing, and only checks that this process still drives. */
export function isFence({ journal, changes = [] }: Pick<Transaction, 'journal' | 'changes'>): boolean {
  return journal.length === 0 && changes.length === 0;
}

/**
 * Returns the changes that listeners of `onDidChange` get after a write; an empty list if it changed nothing.
 */
export function changedBy(
  method: string,
  args: readonly unknown[],
  answer: unknown,
): readonly Parameters<StoreListener>[] {
  if (method === 'commit') return changedByCommit(args[0] as Transaction);
  if (method === 'createTicket') return [[idOf(answer, 'id')]];
  if (method === 'changeDismissal' || method === 'removeDismissal') return [[undefined]];
  if (method === 'removeReviewThread') return [[typeof args[0] === 'string' ? args[0] : undefined]];
  return method === 'post' || method === 'saveReviewThread' ? [[idOf(args[0], 'ticket')]] : [];
}

function changedByCommit(transaction: Transaction): readonly Parameters<StoreListener>[] {
  if (isFence(transaction)) return [];
  const { ticket, journal, changes = [] } = transaction;
  const moved = journal.some(({ kind }) => kind === 'status') ? (['ticket'] as const) : [];
  return [[ticket, 'commit', [...moved, ...changes.map(({ type }) => type)]]];
}

function idOf(value: unknown, key: string): string | undefined {
  const id: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return typeof id === 'string' ? id : undefined;
}
