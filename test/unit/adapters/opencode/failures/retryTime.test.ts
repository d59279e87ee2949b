import assert from 'node:assert/strict';
import { retryTime } from '../../../../../src/adapters/opencode/failures/retryTime.ts';

describe('when a provider can be asked again', () => {
  const now = Date.parse('2026-11-23T01:00:00Z');
  const local = (hours: number, minutes = 0): number => {
    const date = new Date(now);
    date.setHours(hours, minutes, 0, 0);
    return date.getTime() > now ? date.getTime() : date.getTime() + 86_400_000;
  };
  const cases: readonly (readonly [string, number | undefined])[] = [
    ['Rate limit reached. Please try again in 20s.', now + 20_000],
    ['Please try again in 6m0s', now + 360_000],
    ['Quota exceeded, retry after 37 seconds', now + 37_000],
    ['Your limit resets in 4 hours and 5 minutes.', now + (4 * 60 + 5) * 60_000],
    ['Try again in 850ms', now + 850],
    ['Claude AI usage limit reached|1795410000', 1_795_410_000_000],
    ['The quota resets at 2026-11-23T04:30:00Z', Date.parse('2026-11-23T04:30:00Z')],
    ['The quota resets at 2026-11-23 04:30', Date.parse('2026-11-23T04:30:00Z')],
    ['5-hour limit reached ∙ resets 3pm', local(15)],
    ['Limit resets at 14:30 UTC', Date.parse('2026-11-23T14:30:00Z')],
    ['Limit resets at 00:30 UTC', Date.parse('2026-11-24T00:30:00Z')],
    ['{"error":{"type":"usage_limit_reached","resets_in_seconds":18000}}', now + 18_000_000],
    ['{"error":{"type":"usage_limit_reached","resets_at":1795410000}}', 1_795_410_000_000],
    [
      '{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}]}}',
      now + 34_000,
    ],
    ['{"error":{"details":[{"retryDelay":"34.074824224s"}]}}', now + 34_074.824224],
    ['{"retry_after_ms": 1500}', now + 1_500],
    ['{"retryAfter": 20}', now + 20_000],
    ["You've hit your weekly limit · resets Nov 28, 5pm (Europe/Berlin)", Date.parse('2026-11-28T16:00:00Z')],
    ["You've hit your limit · resets 4:30pm (America/New_York)", Date.parse('2026-11-23T21:30:00Z')],
    ['Limit resets at 9:00 AM PST', Date.parse('2026-11-23T17:00:00Z')],
    ['Your limit resets Thursday at 10am (Asia/Tokyo)', Date.parse('2026-11-26T01:00:00Z')],
    ['Your limit resets on Monday 1am UTC', Date.parse('2026-11-30T01:00:00Z')],
    ['Resets tomorrow at 6:15 a.m. UTC', Date.parse('2026-11-24T06:15:00Z')],
    ['Try again at Nov 24 08:00 +02:00', Date.parse('2026-11-24T06:00:00Z')],
    [
      'Usage limit reached for 5 hour. Your limit will reset at 2026-11-23 11:17:40',
      Date.parse('2026-11-23T03:17:40Z'),
    ],
    [
      'Usage limit reached for 5 hour. Your limit will reset at 2026-11-23 03:17:40',
      Date.parse('2026-11-23T03:17:40Z'),
    ],
    ['您的使用额度将在 2026-11-23 11:17:40 重置', Date.parse('2026-11-23T03:17:40Z')],
    ['The quota resets at 2026-11-23T04:30:00+02:00', Date.parse('2026-11-23T02:30:00Z')],
    ['resets Nov 40, 5pm (Nowhere/Land)', undefined],
    ['slow down', undefined],
    ['The server failed after 30 seconds', undefined],
    ['try again in 900 days', undefined],
  ];
  for (const [message, at] of cases) it(message, () => assert.equal(retryTime(message, now), at));

  it('is that of the limit which is used up', () => {
    const resets = { 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-reset-tokens': '6m0s' };
    assert.equal(retryTime('', now, resets), now + 360_000);
    const left = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-remaining-tokens': '140000' };
    assert.equal(retryTime('', now, { ...resets, ...left }), now + 1_000);
  });

  it('is what the headers say first', () => {
    assert.equal(retryTime('try again in 1h', now, { 'Retry-After': '90' }), now + 90_000);
    assert.equal(retryTime('', now, { 'retry-after': 'Mon, 23 Nov 2026 02:00:00 GMT' }), now + 3_600_000);
    assert.equal(retryTime('', now, { 'retry-after-ms': '1500' }), now + 1_500);
    assert.equal(retryTime('', now, { 'x-ratelimit-reset-requests': '6m0s' }), now + 360_000);
    assert.equal(
      retryTime('', now, { 'anthropic-ratelimit-tokens-reset': '2026-11-23T01:02:00Z' }),
      now + 120_000,
    );
    assert.equal(retryTime('', now, { 'X-RateLimit-Reset': String(now + 5_000) }), now + 5_000);
    assert.equal(retryTime('', now, { 'x-ratelimit-reset': String(now / 1_000 + 7) }), now + 7_000);
  });
});
