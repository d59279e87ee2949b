import type { CompletedTicketsFile } from '../adapters/system/completedTicketsFile.ts';
import { statusOf } from '../domain/workflow/roles.ts';
import type { Client } from '../protocol/api.ts';
import { completedBy } from '../protocol/estimates.ts';
import type { EventBus } from './eventBus.ts';

interface Watched {
  readonly events: Pick<EventBus, 'on'>;
  readonly client: Client;
  readonly file: Pick<CompletedTicketsFile, 'add'>;
  readonly log: (message: string) => void;
}

/**
 * Notes what a ticket took when it is completed, for estimates in other repositories
 * (docs/decisions/158-estimates-of-a-machine.md). Nothing depends on it, so a failure is only logged. Answers
 * how to end it, which waits for what is being noted.
 */
export function watchCompleted({ events, client, file, log }: Watched): () => Promise<void> {
  const noting = new Set<Promise<void>>();
  const note = async (id: string): Promise<void> => {
    try {
      const completed = await completedBy(client, id);
      if (completed) await file.add(id, completed);
    } catch (error) {
      log(
        `What ${id} took could not be noted for later estimates: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  };
  const listening = events.on((event) => {
    if (event.type !== 'status' || event.to !== statusOf('completed')) return;
    const done = note(event.ticket).finally(() => noting.delete(done));
    noting.add(done);
  });
  return async () => {
    listening.dispose();
    await Promise.all(noting);
  };
}
