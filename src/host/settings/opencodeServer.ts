import { invalidInput } from '../../domain/core/errors.ts';
import type { BeadsmithError } from '../../domain/core/errors.ts';

const ownMachine = ['localhost', '127.0.0.1', '[::1]'];

/**
 * `beadsmith.opencode.url`: a user's server. Plain HTTP is for this machine only, because of the password.
 * Throws INVALID_INPUT.
 */
export function serverUrl(value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined;
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw refused('it must be an address that begins with http:// or https://');
  if (url.username !== '' || url.password !== '')
    throw refused('a password belongs in the secret storage, not in an address');
  if (url.protocol === 'http:' && !ownMachine.includes(url.hostname))
    throw refused('another machine is reached by https:// only');
  return url.href.replace(/\/$/, '');
}

function refused(reason: string): BeadsmithError {
  return invalidInput('The setting beadsmith.opencode.url', reason);
}
