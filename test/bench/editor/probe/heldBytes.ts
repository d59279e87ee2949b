import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as z from 'zod';

const Collect = z.custom<() => void>((value) => typeof value === 'function');

/** What the extension host's main thread holds once everything is gone that nobody refers to, bytes. */
export async function heldBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = Collect.parse(runInNewContext('gc'));
  // What is let go when something is collected goes with the next round.
  for (let round = 0; round < 3; round++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
