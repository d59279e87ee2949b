import { ViewedFiles } from '../../../src/views/review/viewedFiles.ts';

/** With what an earlier window kept, if anything. */
export function viewedFiles(kept = new Map<string, unknown>()): ViewedFiles {
  return new ViewedFiles({
    get: (key) => kept.get(key),
    set: async (key, value) => void kept.set(key, value),
  });
}
