import * as z from 'zod';
import { invalidInput, type BeadsmithError } from '../../domain/core/errors.ts';

/** `beadsmith.team`, or undefined if it is empty. Throws INVALID_INPUT, also for one with a password. */
export function teamUrl(value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined;
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  const refused = (reason: string): Error => invalidInput('The setting beadsmith.team', reason);
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol))
    throw refused('it must be a URL that begins with postgres://');
  if (url.password !== '' || url.searchParams.has('password'))
    throw refused('a password belongs in the secret storage, not in a URL');
  return url.href;
}

/** The URL with a password; without one if it is empty. */
export function withPassword(url: string, password: string): string {
  const made = new URL(url);
  made.password = encodeURIComponent(password);
  return made.href;
}

const Stored = z.object({ url: z.string(), password: z.string() });

/** A stored password with the URL that it is for; undefined for anything else. */
export function readTeamPassword(text: string | undefined): z.infer<typeof Stored> | undefined {
  try {
    return Stored.safeParse(JSON.parse(text ?? 'null')).data;
  } catch {
    return undefined;
  }
}

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
