import { Octokit } from '@octokit/core';
import { paginateRest } from '@octokit/plugin-paginate-rest';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import type { ForgeRepository } from '../../../domain/forge/forgePlace.ts';
import { because } from '../../../domain/forge/forgeReasons.ts';
import { signInError } from './failures.ts';

const answerMs = 30_000;
/** The greatest pages have a hundred entries of some ten thousand characters. */
const mostBytes = 20_000_000;
/** A longer wait for a rate limit is an error that says when to try again. */
const mostWaitSeconds = 60;

const Client = Octokit.plugin(retry, throttling, paginateRest);

/** GitHub's API of one host. */
export type Client = InstanceType<typeof Client>;

/**
 * `token` is asked before each request, so that one that was renewed counts. `isPatient`: failed requests are
 * tried again, and rate limits waited for.
 */
export function clientOf(
  { api, host }: ForgeRepository,
  token: () => Promise<string | undefined>,
  { isPatient = true } = {},
): Client {
  const waits = (seconds: number, _request: object, _client: object, attempt: number): boolean =>
    attempt === 0 && seconds <= mostWaitSeconds;
  const silent = (): void => undefined;
  const client = new Client({
    baseUrl: api,
    userAgent: 'beadsmith',
    // Its lines name requests, and nobody reads them.
    log: { debug: silent, info: silent, warn: silent, error: silent },
    request: {
      fetch: async (url: string, options: RequestInit) =>
        limited(await fetch(url, { ...options, signal: untilLate(options.signal) })),
    },
    retry: { retries: isPatient ? 2 : 0 },
    // It also takes a query for something written, which waits a second for the one before.
    throttle: { enabled: isPatient, onRateLimit: waits, onSecondaryRateLimit: waits },
  });
  client.hook.before('request', async (options) => {
    const given = await token();
    if (given === undefined) throw signInError(host, because('noToken'));
    // An error about the header would name it.
    if (!/^[\x21-\x7e]+$/.test(given)) throw signInError(host, because('badToken'));
    options.headers.authorization = `bearer ${given}`;
    options.headers['x-github-api-version'] = '2022-11-28';
  });
  return client;
}

function untilLate(signal: AbortSignal | null | undefined): AbortSignal {
  return AbortSignal.any([AbortSignal.timeout(answerMs), ...(signal ? [signal] : [])]);
}

/** The answer, unless it is longer than any that is sound. */
function limited(response: Response): Response {
  const { body, status, statusText, headers } = response;
  if (!body) return response;
  let bytes = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes > mostBytes)
        controller.error(new Error(`its answer has more than ${String(mostBytes)} bytes.`));
      else controller.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(count), { status, statusText, headers });
}
