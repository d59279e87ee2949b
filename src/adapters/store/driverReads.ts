import { Recent } from '../../base/recent.ts';
import type { Store, StoreCalls } from '../../engine/ports/storePort.ts';

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
