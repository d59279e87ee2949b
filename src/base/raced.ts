/** Settles as the work does, or throws the signal's reason once it aborts; the work then runs on unheard. */
export async function raced<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = (): void => {
    try {
      signal.throwIfAborted();
    } catch (error) {
      reject(error);
    }
  };
  signal.addEventListener('abort', stop);
  stop();
  try {
    return await Promise.race([stopped, work]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
