import type { SessionRef } from '../../engine/ports/ports.ts';
import type { OpencodeClient } from './opencodeClient.ts';

/** Aborts a session and waits until it is idle. False if that couldn't be confirmed. */
export async function stopSession(client: OpencodeClient, session: SessionRef, patienceMs = 10_000): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    // Repeated each time: an abort that arrives while a step starts can be missed.
    await client.abort(session.directory, session.id);
    const status = await client.status(session.directory, session.id);
    if (status.ok && status.value.type === 'idle') return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}
