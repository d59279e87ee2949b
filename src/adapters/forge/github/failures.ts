import { RequestError } from '@octokit/request-error';
import * as z from 'zod';
import { oneLine } from '../../../base/oneLine.ts';
import { BeadsmithError, type ErrorArgs } from '../../../domain/core/errors.ts';
import { because } from '../../../domain/forge/forgeReasons.ts';

export function signInError(host: string, why: ErrorArgs): BeadsmithError {
  return new BeadsmithError('FORGE_SIGN_IN', { host, ...why });
}

export function isMissing(error: unknown): boolean {
  return error instanceof RequestError && error.status === 404;
}

/** In minutes. */
const longestWait = 24 * 60;

/** An error for people. The answer's text is the forge's; no header of the request is in it. */
export function failureOf(host: string, error: unknown, now: number): BeadsmithError {
  if (error instanceof BeadsmithError) return error;
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    const said = oneLine(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`, 450);
    return new BeadsmithError('FORGE_UNREACHABLE', { host, ...because('notItsAnswer', { said }) });
  }
  if (!(error instanceof RequestError) || error.status >= 500)
    return new BeadsmithError('FORGE_UNREACHABLE', { host, reason: saidBy(error) });
  const { status } = error;
  if (status === 401) return signInError(host, because('expiredToken'));
  const headers = error.response?.headers ?? {};
  // A proxy may name a date.
  const after = headers['retry-after'] === undefined ? undefined : Number(headers['retry-after']) || 60;
  const again = after ?? untilReset(headers, now);
  const isSecondary = /\bsecondary rate limit\b/i.test(error.message);
  if (status === 429 || (status === 403 && (again !== undefined || isSecondary))) {
    const minutes = Math.min(longestWait, Math.max(1, Math.ceil((again ?? 60) / 60)));
    return new BeadsmithError(
      'FORGE_UNREACHABLE',
      { host, ...because('rateLimit', { minutes }) },
      { diagnostics: { waitMs: minutes * 60_000 } },
    );
  }
  const why = because(status === 403 || status === 404 ? 'noRights' : 'refused', { said: saidBy(error) });
  return new BeadsmithError('FORGE_REFUSED', { host, ...why });
}

/** In seconds, by the forge's own clock, which may differ from this machine's. */
function untilReset(headers: Readonly<Record<string, unknown>>, now: number): number | undefined {
  if (headers['x-ratelimit-remaining'] !== '0') return undefined;
  const there = Date.parse(String(headers['date']));
  return (Number(headers['x-ratelimit-reset']) || 0) - (Number.isNaN(there) ? now : there) / 1_000;
}

function saidBy(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const status = error instanceof RequestError ? ` (${String(error.status)})` : '';
  return `${oneLine(text, 1_000)}${status}`;
}
