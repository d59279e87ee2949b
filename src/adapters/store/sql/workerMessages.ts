import * as z from 'zod';
import { ErrorRecord, BeadsmithError } from '../../../domain/core/errors.ts';
import type {
  StoreCalls,
  StoreListener,
  StoreWrites,
  Claims,
  CommitPlaces,
  Transaction,
  Store,
} from '../../../engine/ports/storePort.ts';
import { Recent } from '../../../base/recent.ts';

export const OpenRequest = z.object({
  folder: z.string(),
  drive: z.boolean(),
  installation: z.string().nullable(),
  adopt: z.boolean(),
  writer: z.string(),
  /** The dead thread's, to drive on unless another process took over. */
  epoch: z.number().nullable(),
});
export type WorkerOptions = z.infer<typeof OpenRequest>;

/** Milliseconds before a call says that it waits, and between repetitions. */
export const sayWaitingMs = 2_000;

/** `again`: a thread that died may have done it. */
export const Request = z.object({
  id: z.number(),
  method: z.string(),
  args: z.array(z.unknown()),
  again: z.boolean(),
});
export type Request = z.infer<typeof Request>;

/** `open`: writable; driven from here with an epoch. `readable`: there is something to read. */
export const Opened = z.object({
  mode: z.enum(['open', 'readOnly']),
  epoch: z.number().nullable(),
  readable: z.boolean(),
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
  z.object({ type: z.literal('waiting'), id: z.number() }),
]);
export type FromWorker = z.infer<typeof FromWorker>;

type StoreMethod = keyof StoreCalls;

export type SyncCalls = {
  readonly [M in StoreMethod]: (...args: Parameters<StoreCalls[M]>) => Awaited<ReturnType<StoreCalls[M]>>;
};

const writes: { readonly [M in keyof (StoreWrites & Claims) | ('settle' & keyof CommitPlaces)]: true } = {
  commit: true,
  createTicket: true,
  post: true,
  addActive: true,
  saveReviewThread: true,
  removeReviewThread: true,
  changeDismissal: true,
  removeDismissal: true,
  putIn: true,
  removeMoved: true,
  claim: true,
  release: true,
  settle: true,
};

export function isWrite(method: string): boolean {
  return Object.hasOwn(writes, method);
}

export function storeCalls(
  methods: readonly string[],
  call: (method: string, args: readonly unknown[]) => Promise<unknown>,
): StoreCalls {
  const calls = methods.map((method) => [method, (...args: readonly unknown[]) => call(method, args)]);
  // The other side runs the functions whose types are the port's.
  return Object.fromEntries(calls) as StoreCalls;
}

export function callSync(calls: SyncCalls, method: string, args: readonly unknown[]): unknown {
  if (!isMethod(calls, method))
    throw new BeadsmithError('UNEXPECTED', { reason: `the database has no call ${method}` });
  const call: (...args: never) => unknown = calls[method];
  return Reflect.apply(call, undefined, args);
}

function isMethod(calls: SyncCalls, method: string): method is StoreMethod {
  return Object.hasOwn(calls, method);
}

/** A commit that writes nothing checks that this process drives. */
export function isFence({ journal, changes = [] }: Pick<Transaction, 'journal' | 'changes'>): boolean {
  return journal.length === 0 && changes.length === 0;
}

export function changedBy(
  method: string,
  args: readonly unknown[],
  answer: unknown,
): readonly Parameters<StoreListener>[] {
  if (method === 'commit') return changedByCommit(args[0] as Transaction);
  if (method === 'createTicket') return [[idOf(answer, 'id')]];
  if (method === 'changeDismissal' || method === 'removeDismissal') return [[undefined]];
  if (method === 'removeReviewThread') return [[typeof args[0] === 'string' ? args[0] : undefined]];
  const ofTicket = ['post', 'saveReviewThread', 'putIn', 'removeMoved'];
  return ofTicket.includes(method) ? [[idOf(args[0], 'ticket')]] : [];
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

/** Longer documents aren't kept in memory. */
const longestKept = 100_000;

/**
 * Keeps tickets and documents in memory: a driver is their only writer, as each commit checks
 * (docs/decisions/004-one-driver.md). Other writes come by `onDidChange`.
 */
export function keepDriverReads(calls: StoreCalls, onDidChange: Store['onDidChange']): StoreCalls {
  const tickets = new Recent<Answer<'ticket'>>(16, (ticket) => ticket !== undefined);
  const documents = new Recent<Answer<'artifact'>>(
    128,
    (found) => (found?.content.length ?? 0) <= longestKept,
  );
  // First, so that other listeners read what is new.
  onDidChange((_ticket, cause, types = []) => {
    const isCommit = cause === 'commit';
    if (!isCommit || types.includes('ticket')) tickets.clear();
    if (!isCommit || types.includes('artifact') || types.includes('artifacts.archive')) documents.clear();
  });
  return {
    ...calls,
    // A copy for each caller, as from the thread.
    ticket: async (id) => structuredClone(await tickets.of(id, () => calls.ticket(id))),
    artifact: async (ticket, type) =>
      structuredClone(await documents.of(`${ticket} ${type}`, () => calls.artifact(ticket, type))),
  };
}
