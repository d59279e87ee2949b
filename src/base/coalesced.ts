/**
 * Work that is done once at a time: if it is asked for meanwhile, it is done once more. Resolves when nothing
 * is left to do.
 */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let isWanted = false;
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    try {
      while (isWanted) {
        isWanted = false;
        await work();
      }
    } finally {
      running = undefined;
    }
  };
  return () => {
    isWanted = true;
    running ??= run();
    return running;
  };
}
