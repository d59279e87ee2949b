import * as z from 'zod';
import type { AgentFailure } from '../../../engine/ports/ports.ts';
import { retryTime } from './retryTime.ts';

const Data = z.object({
  message: z.string().optional(),
  statusCode: z.number().optional(),
  isRetryable: z.boolean().optional(),
  responseHeaders: z.record(z.string(), z.string()).optional().catch(undefined),
  responseBody: z.string().optional().catch(undefined),
});

/** An OpenCode error as a failure; which ones are continuable: docs/decisions/038-provider-failures.md. */
export function failureOf(error: { readonly name: string; readonly data?: unknown }): AgentFailure {
  const data = Data.safeParse(error.data).data ?? {};
  const message = shorten(data.message ?? error.name);
  const status = data.statusCode ?? null;
  const now = Date.now();
  const at = retryTime(message, now, data.responseHeaders) ?? retryTime(data.responseBody ?? '', now);
  const make = (kind: AgentFailure['kind'], continuable: boolean): AgentFailure => ({
    kind,
    message,
    statusCode: status,
    continuable,
    ...(continuable && at !== undefined ? { retryAfterMs: at - now } : {}),
  });
  if (error.name === 'StructuredOutputError') return make('unformatted', false);
  if (error.name === 'MessageAbortedError') return make('aborted', true);
  if (error.name === 'MessageOutputLengthError') return make('truncated', false);
  if (error.name === 'ProviderAuthError' || status === 401 || status === 403) return make('auth', false);
  if (modelUnknown(message)) return make('unknown_model', false);
  if (error.name === 'ContextOverflowError' || ((status === 400 || status === 413) && tooLong(message)))
    return make('overflow', false);
  if (error.name === 'ContentFilterError') return make('provider', false);
  if (status === 402 || status === 429 || status === 529) return make('quota', true);
  if (status === 408 || (status !== null && status >= 500)) return make('provider', true);
  if (status !== null) return make('provider', data.isRetryable === true);
  if (error.name === 'APIError' || brokenConnection(message)) return make('provider', true);
  return make('garbage', true);
}

export function retryFailure(message: string, next = 0): AgentFailure {
  const kind =
    brokenConnection(message) || /internal (server )?error|bad gateway|\b50[0234]\b/i.test(message)
      ? 'provider'
      : 'quota';
  const now = Date.now();
  const at = Math.max(next, retryTime(message, now) ?? 0);
  return {
    kind,
    message: shorten(message),
    statusCode: null,
    continuable: true,
    ...(at > now ? { retryAfterMs: at - now } : {}),
  };
}

function modelUnknown(message: string): boolean {
  return /model (not found|does not exist)|ProviderModelNotFoundError|no such model|unknown model/i.test(
    message,
  );
}

function tooLong(message: string): boolean {
  return /context.{0,20}(length|window|size|limit)|prompt is too long|input is too long|too many (input )?tokens|maximum.{0,30}tokens|reduce the length/i.test(
    message,
  );
}

function brokenConnection(message: string): boolean {
  return /cannot connect|unable to connect|socket|ECONN|ENOTFOUND|ETIMEDOUT|network|fetch failed|connection (reset|closed|error)/i.test(
    message,
  );
}

/** One line, without query strings, which may carry keys. */
function shorten(message: string): string {
  const [line = ''] = message.split(/\n\s+at /);
  return line.replace(/(https?:\/\/[^\s?]+)\?\S*/g, '$1').slice(0, 1_000);
}
