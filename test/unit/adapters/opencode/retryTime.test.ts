import assert from 'node:assert/strict';
import { retryTime } from '../../../../src/adapters/opencode/retryTime.ts';

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
    ['slow down', undefined],
    ['The server failed after 30 seconds', undefined],
    ['try again in 900 days', undefined],
  ];
  for (const [message, at] of cases) it(message, () => assert.equal(retryTime(message, now), at));

  it('is what the headers say first', () => {
    assert.equal(retryTime('try again in 1h', now, { 'Retry-After': '90' }), now + 90_000);
    assert.equal(retryTime('', now, { 'retry-after': 'Mon, 23 Nov 2026 02:00:00 GMT' }), now + 3_600_000);
    assert.equal(retryTime('', now, { 'retry-after-ms': '1500' }), now + 1_500);
  });
});
