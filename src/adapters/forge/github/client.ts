import { Octokit } from '@octokit/core';
import { paginateRest } from '@octokit/plugin-paginate-rest';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import type { ForgeRepository } from '../../../domain/forge/forgePlace.ts';
import { signInError } from './failures.ts';

const answerMs = 30_000;
/** A longer wait for a rate limit is an error that says when to try again. */
const mostWaitSeconds = 60;

const Client = Octokit.plugin(retry, throttling, paginateRest);

/** GitHub's API of one host. */
export type Client = InstanceType<typeof Client>;

/** `token` is asked before each request, so that one that was renewed counts. */
export function clientOf({ api, host }: ForgeRepository, token: () => Promise<string | undefined>): Client {
  const waits = (seconds: number, _request: object, _client: object, attempt: number): boolean =>
    attempt === 0 && seconds <= mostWaitSeconds;
  const silent = (): void => undefined;
  const client = new Client({
    baseUrl: api,
    userAgent: 'beadsmith',
    // Its lines name requests, and nobody reads them.
    log: { debug: silent, info: silent, warn: silent, error: silent },
    request: {
      fetch: (url: string, options: RequestInit) =>
        fetch(url, { ...options, signal: AbortSignal.timeout(answerMs) }),
    },
    retry: { retries: 2 },
    throttle: { onRateLimit: waits, onSecondaryRateLimit: waits },
  });
  client.hook.before('request', async (options) => {
    const given = await token();
    if (given === undefined) throw signInError(host, 'there is no token.');
    // An error about the header would name it.
    if (!/^[\x21-\x7e]+$/.test(given))
      throw signInError(host, 'the token has characters that no token has, such as a line break.');
    options.headers.authorization = `bearer ${given}`;
    options.headers['x-github-api-version'] = '2022-11-28';
  });
  return client;
}
