import { BeadsmithError } from '../../domain/errors.ts';
import type { StoreCalls } from '../../engine/ports/storePort.ts';

type StoreMethod = keyof StoreCalls;

/** The calls of the store port as synchronous functions: what the thread of the database runs. Their types follow from the port. */
export type SyncCalls = { readonly [M in StoreMethod]: (...args: Parameters<StoreCalls[M]>) => Awaited<ReturnType<StoreCalls[M]>> };

/** A store whose calls are all made in one way: by name, in the thread of the database. `methods` are the names which that thread has. */
export function storeCalls(methods: readonly string[], call: (method: string, args: readonly unknown[]) => Promise<unknown>): StoreCalls {
  const calls = methods.map((method) => [method, (...args: readonly unknown[]) => call(method, args)]);
  // The other side runs the very functions whose types are those of the port.
  return Object.fromEntries(calls) as StoreCalls;
}

/** Makes a call in the thread of the database. UNEXPECTED when it has none of this name. */
export function callSync(calls: SyncCalls, method: string, args: readonly unknown[]): unknown {
  if (!isMethod(calls, method)) throw new BeadsmithError('UNEXPECTED', { reason: `the database has no call ${method}` });
  const call: (...args: never) => unknown = calls[method];
  return Reflect.apply(call, undefined, args);
}

function isMethod(calls: SyncCalls, method: string): method is StoreMethod {
  return Object.hasOwn(calls, method);
}

/** The ticket a write was about, for `onDidChange`; an empty list for reads. */
export function changedBy(method: string, args: readonly unknown[], answer: unknown): readonly (string | undefined)[] {
  if (method === 'createTicket') return [idOf(answer, 'id')];
  if (method === 'removeReviewThread') return [typeof args[0] === 'string' ? args[0] : undefined];
  return method === 'commit' || method === 'post' || method === 'saveReviewThread' ? [idOf(args[0], 'ticket')] : [];
}

function idOf(value: unknown, key: string): string | undefined {
  const id: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return typeof id === 'string' ? id : undefined;
}
