import type { TextReader } from '../../../src/engine/ports/ports.ts';
import { type Reader, readHere } from '../../../src/phases/shared/structured/readers.ts';

export const readsAtOnce: TextReader = {
  read: async (reader, input) => ({ read: readHere(reader as Reader, input as never) }),
};
