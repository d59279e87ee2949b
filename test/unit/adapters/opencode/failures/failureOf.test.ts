import assert from 'node:assert/strict';
import { failureOf, retryFailure } from '../../../../../src/adapters/opencode/failures/failureOf.ts';

describe('What an error of OpenCode means', () => {
  const api = (statusCode: number, message = 'no') => ({
    name: 'APIError',
    data: { message, statusCode, isRetryable: false },
  });
  const cases = [
    [api(401), 'auth', false],
    [api(403), 'auth', false],
    [api(402), 'quota', true],
    [api(429), 'quota', true],
    [api(529), 'quota', true],
    [api(408), 'provider', true],
    [api(503), 'provider', true],
    [api(413), 'provider', false],
    [api(404, 'Model does not exist'), 'unknown_model', false],
    [{ name: 'ProviderAuthError', data: { message: 'log in' } }, 'auth', false],
    [{ name: 'UnknownError', data: { message: 'JSON parsing failed' } }, 'garbage', true],
    [{ name: 'UnknownError', data: { message: 'socket hang up' } }, 'provider', true],
    [{ name: 'ContextOverflowError', data: { message: 'too long' } }, 'overflow', false],
    [api(400, 'prompt is too long: 210000 tokens > 200000 maximum'), 'overflow', false],
    [api(413, 'Request body too large'), 'provider', false],
    [{ name: 'MessageOutputLengthError' }, 'truncated', false],
    [{ name: 'MessageAbortedError' }, 'aborted', true],
  ] as const;
  for (const [error, kind, continuable] of cases) {
    const status = 'data' in error && 'statusCode' in error.data ? ` ${error.data.statusCode}` : '';
    it(`${error.name}${status} is ${kind}`, () => {
      const failure = failureOf(error);
      assert.deepEqual([failure.kind, failure.continuable], [kind, continuable]);
    });
  }

  it('shows no query string, which may hold a key, and no stack', () => {
    const message = 'Failed: https://api.example.com/v1?key=SECRET\n    at somewhere (file.js:1)';
    assert.equal(failureOf(api(500, message)).message, 'Failed: https://api.example.com/v1');
  });

  it('tells a busy provider from a broken line', () => {
    assert.equal(retryFailure('Too many requests').kind, 'quota');
    assert.equal(retryFailure('Cannot connect to API: Unable to connect.').kind, 'provider');
  });

  it('waits as long as the body of an answer says, where message and headers don’t', () => {
    const data = {
      message: 'Too Many Requests',
      statusCode: 429,
      responseBody: '{"error":{"resets_in_seconds":18000}}',
    };
    const { kind, retryAfterMs = 0 } = failureOf({ name: 'APIError', data });
    assert.equal(kind, 'quota');
    assert.ok(Math.abs(retryAfterMs - 18_000_000) < 1_000, String(retryAfterMs));
  });
});
