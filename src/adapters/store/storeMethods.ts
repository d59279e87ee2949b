import type { InboxBody, InboxKind } from '../../domain/inbox.ts';
import type { Store } from '../../engine/ports/storePort.ts';
import type { StoreMethod, SyncStore } from './sqliteStore.ts';

/** The answer of one method, as the port promises it. */
export type Answer<M extends StoreMethod> = Awaited<ReturnType<Store[M]>>;

/** The store port in terms of one call by method name; a subclass makes that call. */
export abstract class StoreMethods implements Omit<Store, 'onDidChange' | 'close'> {
  protected abstract call<M extends StoreMethod>(method: M, args: Parameters<Store[M]>): Promise<Answer<M>>;

  commit(...args: Parameters<Store['commit']>) {
    return this.call('commit', args);
  }

  createTicket(...args: Parameters<Store['createTicket']>) {
    return this.call('createTicket', args);
  }

  post<K extends InboxKind>(entry: { id: string; ticket: string; kind: K; body: InboxBody<K> }) {
    return this.call('post', [entry]);
  }

  addActive(...args: Parameters<Store['addActive']>) {
    return this.call('addActive', args);
  }

  ticket(...args: Parameters<Store['ticket']>) {
    return this.call('ticket', args);
  }

  tickets() {
    return this.call('tickets', []);
  }

  active() {
    return this.call('active', []);
  }

  summaries(...args: Parameters<Store['summaries']>) {
    return this.call('summaries', args);
  }

  snapshotParts(...args: Parameters<Store['snapshotParts']>) {
    return this.call('snapshotParts', args);
  }

  run(...args: Parameters<Store['run']>) {
    return this.call('run', args);
  }

  runs(...args: Parameters<Store['runs']>) {
    return this.call('runs', args);
  }

  runCount(...args: Parameters<Store['runCount']>) {
    return this.call('runCount', args);
  }

  openRun(...args: Parameters<Store['openRun']>) {
    return this.call('openRun', args);
  }

  pastRuns(...args: Parameters<Store['pastRuns']>) {
    return this.call('pastRuns', args);
  }

  steps(...args: Parameters<Store['steps']>) {
    return this.call('steps', args);
  }

  inbox(...args: Parameters<Store['inbox']>) {
    return this.call('inbox', args);
  }

  artifact(...args: Parameters<Store['artifact']>) {
    return this.call('artifact', args);
  }

  artifacts(...args: Parameters<Store['artifacts']>) {
    return this.call('artifacts', args);
  }

  artifactContent(...args: Parameters<Store['artifactContent']>) {
    return this.call('artifactContent', args);
  }

  beads(...args: Parameters<Store['beads']>) {
    return this.call('beads', args);
  }

  sessions(...args: Parameters<Store['sessions']>) {
    return this.call('sessions', args);
  }

  calls(...args: Parameters<Store['calls']>) {
    return this.call('calls', args);
  }

  pastCalls(...args: Parameters<Store['pastCalls']>) {
    return this.call('pastCalls', args);
  }

  pastCall(...args: Parameters<Store['pastCall']>) {
    return this.call('pastCall', args);
  }

  usage(...args: Parameters<Store['usage']>) {
    return this.call('usage', args);
  }

  reviewThreads(...args: Parameters<Store['reviewThreads']>) {
    return this.call('reviewThreads', args);
  }

  saveReviewThread(...args: Parameters<Store['saveReviewThread']>) {
    return this.call('saveReviewThread', args);
  }

  removeReviewThread(...args: Parameters<Store['removeReviewThread']>) {
    return this.call('removeReviewThread', args);
  }

  calibration(...args: Parameters<Store['calibration']>) {
    return this.call('calibration', args);
  }

  journal(...args: Parameters<Store['journal']>) {
    return this.call('journal', args);
  }

  milestones(...args: Parameters<Store['milestones']>) {
    return this.call('milestones', args);
  }

  verify(...args: Parameters<Store['verify']>) {
    return this.call('verify', args);
  }

  check() {
    return this.call('check', []);
  }
}

/** Makes the call on a store of this thread. */
export function callSync(store: SyncStore, method: StoreMethod, args: readonly unknown[]): unknown {
  const call: (...args: never) => unknown = store[method].bind(store);
  return Reflect.apply(call, store, args);
}

/** The ticket a write was about, for `onDidChange`; an empty list for reads. */
export function changedBy(method: StoreMethod, args: readonly unknown[], answer: unknown): readonly (string | undefined)[] {
  if (method === 'createTicket') return [idOf(answer, 'id')];
  if (method === 'removeReviewThread') return [typeof args[0] === 'string' ? args[0] : undefined];
  return method === 'commit' || method === 'post' || method === 'saveReviewThread' ? [idOf(args[0], 'ticket')] : [];
}

function idOf(value: unknown, key: string): string | undefined {
  const id: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return typeof id === 'string' ? id : undefined;
}
