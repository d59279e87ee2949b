import { systemClock } from '../adapters/clock/systemClock.ts';
import { StoreClient } from './storeClient.ts';

type Options = ConstructorParameters<typeof StoreClient>[0];

/** A client for what a database holds; `refuse` answers whatever needs git, a forge or a model. */
export function readingClient(
  parts: Pick<Options, 'store' | 'repository' | 'stateFolder' | 'elsewhere'>,
  refuse: () => Promise<never>,
): StoreClient {
  return new StoreClient({
    ...parts,
    diffs: { diff: refuse, file: refuse },
    forges: { isThere: () => Promise.resolve(false), places: refuse },
    today: { prompts: { read: refuse, personas: refuse }, count: refuse },
    events: { on: () => ({ dispose: () => undefined }) },
    randomId: () => systemClock.randomId(),
    naming: refuse,
    checkStart: refuse,
  });
}
