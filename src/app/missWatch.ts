import type { Disposable } from '../base/disposable.ts';
import { keepNewest } from '../base/keepNewest.ts';
import { missesText } from '../domain/promptCache/providersThatMiss.ts';
import type { Clock } from '../engine/ports/ports.ts';
import type { Store } from '../engine/ports/storePort.ts';
import type { HistoryReader } from '../protocol/history.ts';
import type { EventBus } from './eventBus.ts';

interface Watched {
  readonly store: Pick<Store, 'onDidChange'>;
  readonly events: Pick<EventBus, 'on' | 'emit'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly history: Pick<HistoryReader, 'misses'>;
  /** Does a piece of work after a while. */
  readonly later?: (work: () => void) => void;
}

/** A ticket's state, as far as it is known. */
interface Known {
  /**
   * The calls that ended last, by model and time: only what happens now is said, and not what is read again
   * after a restart.
   */
  readonly ended: Set<string>;
  /** The models that miss, as far as it was said. */
  told: ReadonlySet<string>;
  /** True while its calls are about to be read: a call that is booked until then counts, too. */
  isNoted: boolean;
}

/** So many calls of a ticket may end before the first of them is booked. */
const mostEnded = 50;
/** To look means to read the last 200 calls, which must not hold up those that are made meanwhile. */
const pauseMs = 5_000;
/** So many tickets work at once at most; those that ask no model any more are forgotten. */
const mostTickets = 50;

/**
 * Says in the log when a provider gave nothing from its cache for the third time in a row
 * (docs/prompt-cache.md): once, some seconds after the call is booked. Nothing depends on it, so what can't
 * be read is passed over.
 */
export function watchMisses({ store, events, clock, history, later = afterPause }: Watched): Disposable {
  const tickets = new Map<string, Known>();
  let isDisposed = false;
  const look = async (ticket: string, known: Known): Promise<void> => {
    const found = await history.misses(ticket);
    const news = found.filter(
      ({ member, since }) => known.ended.has(`${member} ${String(since)}`) && !known.told.has(member),
    );
    known.told = new Set(found.map(({ member }) => member));
    for (const one of news)
      events.emit({
        type: 'activity',
        ticket,
        at: clock.now(),
        source: 'engine',
        kind: 'info',
        text: missesText(one),
      });
  };
  const listening = events.on((event) => {
    if (event.type !== 'call') return;
    const known = tickets.get(event.ticket) ?? { ended: new Set(), told: new Set(), isNoted: false };
    known.ended.add(`${event.member} ${String(event.at)}`);
    keepNewest(known.ended, mostEnded);
    tickets.delete(event.ticket);
    tickets.set(event.ticket, known);
    keepNewest(tickets, mostTickets);
  });
  const watching = store.onDidChange((ticket, _cause, changes) => {
    const known = ticket !== undefined && changes?.includes('call') ? tickets.get(ticket) : undefined;
    if (ticket === undefined || !known || known.isNoted) return;
    known.isNoted = true;
    later(() => {
      known.isNoted = false;
      if (!isDisposed) look(ticket, known).catch(() => undefined);
    });
  });
  return {
    dispose: () => {
      isDisposed = true;
      listening.dispose();
      watching.dispose();
    },
  };
}

function afterPause(work: () => void): void {
  setTimeout(work, pauseMs).unref();
}
