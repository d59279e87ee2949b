import * as z from 'zod';
import { ErrorRecord, BeadsmithError } from '../../../domain/core/errors.ts';
import type {
  StoreCalls,
  StoreListener,
  StoreWrites,
  Transaction,
  Store,
} from '../../../engine/ports/storePort.ts';
import { Recent } from '../../../base/recent.ts';

/** The messages between the store's worker and its user, of one build, and validated all the same. */
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

/** `open`: can be written; driven from here with an epoch. `readable`: there is something to read. */
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

/** The calls of the store port as synchronous functions, which the database's thread runs. */
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

/** A store whose calls are all made by name, in the database's thread, which has these `methods`. */
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

/** The changes that listeners of `onDidChange` get after a write; none if it changed nothing. */
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

type Answer<M extends 'ticket' | 'artifact'> = Awaited<ReturnType<StoreCalls[M]>>;

/** A document that is longer is read each time, so that what is kept takes little memory. */
const longestKept = 100_000;

/**
 * The calls of a store whose process drives: tickets and documents are kept in memory until this process
 * writes them. Nobody else does, because each commit checks that its process drives
 * (docs/decisions/004-one-driver.md). What another process writes all the same is told by `onDidChange`, too.
 */
export function keepDriverReads(calls: StoreCalls, onDidChange: Store['onDidChange']): StoreCalls {
  // Any process may create a ticket.
  const tickets = new Recent<Answer<'ticket'>>(16, (ticket) => ticket !== undefined);
  const documents = new Recent<Answer<'artifact'>>(
    128,
    (found) => (found?.content.length ?? 0) <= longestKept,
  );
  // The first listener, so that the others read what is new.
  onDidChange((_ticket, cause, types = []) => {
    const isCommit = cause === 'commit';
    if (!isCommit || types.includes('ticket')) tickets.clear();
    if (!isCommit || types.includes('artifact') || types.includes('artifacts.archive')) documents.clear();
  });
  return {
    ...calls,
    // Each caller gets an object of its own, as it does from the thread of the database.
    ticket: async (id) => structuredClone(await tickets.of(id, () => calls.ticket(id))),
    artifact: async (ticket, type) =>
      structuredClone(await documents.of(`${ticket} ${type}`, () => calls.artifact(ticket, type))),
  };
}
