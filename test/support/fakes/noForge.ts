import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import type { Forges } from '../../../src/engine/ports/ports.ts';

const none = (): Promise<never> =>
  Promise.reject(new BeadsmithError('FORGE_UNKNOWN', { reason: 'no remote.', remedy: 'Add one.' }));

/** No remote is on a forge. */
export const noForge: Forges = {
  isThere: () => Promise.resolve(false),
  places: none,
  at: none,
  issue: none,
};
