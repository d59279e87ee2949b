import { parentPort } from 'node:worker_threads';
import { type Reader, readHere } from '../phases/shared/structured/readers.ts';
import type { TextMessage, TextTask } from './textThread.ts';

/** Reads untrusted texts, one at a time (docs/decisions/116-hostile-input.md). */
const say = (message: TextMessage): void => parentPort?.postMessage(message);

parentPort?.on('message', ({ reader, input }: TextTask) => {
  try {
    say({ value: readHere(reader as Reader, input as never) });
  } catch (error) {
    say({ error: String(error) });
  }
});
say('ready');
