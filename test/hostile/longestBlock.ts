/**
 * The longest time, in milliseconds, for which this thread computed without a turn for anything else while
 * something was done. It is time of the processor, so that other processes of the machine don't count.
 */
export async function longestBlock(work: () => unknown): Promise<number> {
  let longest = 0;
  let since = process.threadCpuUsage();
  const turn = (): void => {
    const { user, system } = process.threadCpuUsage(since);
    since = process.threadCpuUsage();
    longest = Math.max(longest, (user + system) / 1_000);
  };
  const done = new AbortController();
  const ticking = (async () => {
    while (!done.signal.aborted) {
      await new Promise((resolve) => setImmediate(resolve));
      turn();
    }
  })();
  try {
    await work();
  } finally {
    turn();
    done.abort();
    await ticking;
  }
  return longest;
}
