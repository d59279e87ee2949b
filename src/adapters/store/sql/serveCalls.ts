import type { MessagePort } from 'node:worker_threads';
import {
  BeadsmithError,
  type ErrorRecord,
  errorRecord,
  fromRecord,
  toBeadsmithError,
} from '../../../domain/core/errors.ts';
import { usualPatienceMs, whenFree } from './whenFree.ts';
import { callSync, type FromWorker, isWrite, Request, type SyncCalls } from './workerMessages.ts';

/** Milliseconds for all remaining locks once the process is about to end. */
const hurriedMs = 1_000;

export interface Served {
  readonly store:
    | {
        readonly calls: SyncCalls;
        /** Makes a write once; `again`: it may have been made. */
        once(id: number, again: boolean, write: () => unknown): unknown;
      }
    | undefined;
  /** The reason why there is no store. */
  readonly reason: ErrorRecord | null;
  /** Waits for locks as long as it takes. */
  readonly isPatient: boolean;
  /** Called before each try, with a function that says that the call waits. */
  readonly onCall?: (sayWaiting: () => void) => void;
  /** Stops what isn't a call, as the first step of closing. */
  readonly stop: () => void;
  /** Ends the store after the last call. */
  readonly end: () => void;
}

/** Answers the calls of the other thread until it closes this one. */
export function serveCalls(port: MessagePort, served: Served): void {
  const { store } = served;
  const say = (message: FromWorker): void => {
    port.postMessage(message);
  };
  const working = new Set<Promise<void>>();
  let patience = served.isPatient ? Number.POSITIVE_INFINITY : usualPatienceMs;
  const call = async ({ id, method, args, again }: Request): Promise<void> => {
    try {
      if (method === 'hurry') patience = hurriedMs;
      if (method === 'close') {
        patience = 0;
        served.stop();
        await Promise.allSettled(working);
        served.end();
      }
      if (method === 'hurry' || method === 'close') {
        say({ type: 'answer', id, value: undefined });
        if (method === 'close') port.close();
        return;
      }
      if (!store)
        throw served.reason
          ? fromRecord(served.reason)
          : new BeadsmithError('UNEXPECTED', { reason: 'there is no database' });
      const onWait = (): void => say({ type: 'waiting', id });
      const made = (): unknown => callSync(store.calls, method, args);
      // A try that failed may have been made all the same: its connection was lost in the commit.
      let isAgain = again;
      const once = (): unknown => {
        served.onCall?.(onWait);
        const wasTried = isAgain;
        isAgain = true;
        return isWrite(method) ? store.once(id, wasTried, made) : made();
      };
      const value = await whenFree(once, { patienceMs: () => patience, onWait });
      say({ type: 'answer', id, value });
    } catch (error) {
      say({ type: 'error', id, error: errorRecord(toBeadsmithError(error)) });
    }
  };
  port.on('message', (message: unknown) => {
    const request = Request.parse(message);
    const work = call(request);
    if (request.method === 'close') return;
    working.add(work);
    void work.finally(() => working.delete(work));
  });
}
