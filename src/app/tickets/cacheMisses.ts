import { keepNewest } from '../../base/keepNewest.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { OwnProfile } from '../../domain/promptCache/profiles.ts';
import { type ProviderThatMisses, providersThatMiss } from '../../domain/promptCache/providersThatMiss.ts';
import type { Store } from '../../engine/ports/storePort.ts';
import { inspectCalls } from './inspectCalls.ts';
import { ownProfiles } from './ownProfiles.ts';

/**
 * So many of the newest calls of a ticket are read, so that it takes no longer for a ticket with thousands of
 * them. Three misses in a row are seen in far fewer, and what was sent so long ago is in no cache any more. A
 * row that began before them counts from there on.
 */
const newestCalls = 200;
/** Of so many tickets it is kept: a page asks again with every change. */
const mostKept = 20;

interface Kept {
  readonly of: string;
  readonly misses: readonly ProviderThatMisses[];
}

/**
 * Answers which models of a ticket have a provider that gives nothing from its cache, again and again. Calls
 * are only ever added, so what was computed stays true until there is a new one, or another file of profiles.
 * With one that can't be read nothing is said: `context` says what is wrong with it.
 */
export function cacheMisses(
  store: Pick<Store, 'lastCall' | 'plannedCalls' | 'usage'>,
  stateFolder: string,
): (ticket: string) => Promise<readonly ProviderThatMisses[]> {
  const kept = new Map<string, Kept>();
  return async (ticket) => {
    const profiles = await readableProfiles(stateFolder);
    if (!profiles) return [];
    const of = JSON.stringify([await store.lastCall(ticket), profiles]);
    const before = kept.get(ticket);
    const now = before?.of === of ? before : { of, misses: await computed(store, ticket, profiles) };
    kept.delete(ticket);
    kept.set(ticket, now);
    keepNewest(kept, mostKept);
    return now.misses;
  };
}

async function computed(
  store: Pick<Store, 'plannedCalls' | 'usage'>,
  ticket: string,
  profiles: readonly OwnProfile[],
): Promise<readonly ProviderThatMisses[]> {
  // An answer is booked with its call, so the newest answers are those of the newest calls.
  const [calls, usage] = await Promise.all([
    store.plannedCalls(ticket, newestCalls),
    store.usage(ticket, newestCalls),
  ]);
  return providersThatMiss(inspectCalls({ calls, usage, runs: [], profiles }));
}

async function readableProfiles(stateFolder: string): Promise<readonly OwnProfile[] | undefined> {
  try {
    return await ownProfiles(stateFolder);
  } catch (error) {
    if (error instanceof BeadsmithError && error.code === 'INVALID_INPUT') return undefined;
    throw error;
  }
}
