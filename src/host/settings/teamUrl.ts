import * as z from 'zod';
import { invalidInput } from '../../domain/core/errors.ts';

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
