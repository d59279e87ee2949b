import { randomBytes } from 'node:crypto';
import type { Clock } from '../../engine/ports/ports.ts';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const idLength = 26;
const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep,
  randomId: () =>
    Array.from(randomBytes(idLength), (byte) => alphabet.charAt(byte % alphabet.length)).join(''),
};

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  const until = performance.now() + ms;
  for (let left = ms; left > 0 && !signal?.aborted; left = until - performance.now())
    await timer(Math.min(left, longestTimerMs), signal);
}

function timer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(handle);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const handle = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}
