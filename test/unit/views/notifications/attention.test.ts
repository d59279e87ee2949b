import assert from 'node:assert/strict';
import { notificationKindOf } from '../../../../src/protocol/attention.ts';
import { Attention } from '../../../../src/views/notifications/attention.ts';
import {
  countdownText,
  plainLabel,
  plainNotification,
  withoutLinks,
} from '../../../../src/views/shared/plainText.ts';
import { ticketView } from '../../../support/fakes/fakeClient.ts';

const now = 1_000_000_000;
const working = ticketView({ status: 'CODING', updatedAt: now });
const review = ticketView({ status: 'WAITING_PR_REVIEW', needsPerson: true, updatedAt: now });
const old = { ...review, updatedAt: now - 3_600_000 };
const asking = ticketView({
  status: 'CODING',
  hold: 'question',
  holdUntil: now + 60_000,
  needsPerson: true,
  updatedAt: now - 3_600_000,
});

describe('Attention', () => {
  it('keep quiet about what waited long before the window was opened', () => {
    const calls = new Attention();
    assert.deepEqual(calls.look('/a', [old], now), []);
    assert.deepEqual(calls.look('/a', [old], now), []);
  });

  it('name at once what came while the window was loading, and an agent that waits', () => {
    assert.deepEqual(new Attention().look('/a', [review, asking], now), [review, asking]);
  });

  it('name a ticket that begins to wait until it was told, and then no more', () => {
    const calls = new Attention();
    calls.look('/a', [working], now);
    assert.deepEqual(calls.look('/a', [review], now), [review]);
    assert.deepEqual(calls.look('/a', [review], now), [review]);
    calls.tell('/a', review);
    assert.deepEqual(calls.look('/a', [review], now), []);
  });

  it('name it again when it waits for something else, or once more', () => {
    const calls = new Attention();
    calls.look('/a', [], now);
    calls.tell('/a', review);
    const blocked = ticketView({ status: 'BLOCKED_ERROR', needsPerson: true });
    assert.deepEqual(calls.look('/a', [blocked], now), [blocked]);
    calls.tell('/a', blocked);
    calls.look('/a', [working], now);
    assert.deepEqual(calls.look('/a', [blocked], now), [blocked]);
    calls.tell('/a', asking);
    const next = { ...asking, holdUntil: now + 90_000 };
    assert.deepEqual(calls.look('/a', [next], now), [next]);
  });

  it('name a ticket again for news of its pull request, and once for each', () => {
    const calls = new Attention();
    calls.look('/a', [], now);
    calls.tell('/a', review);
    const closed = { ...review, forgeNews: '{"code":"FORGE_CLOSED"}' };
    assert.deepEqual(calls.look('/a', [closed], now), [closed]);
    calls.tell('/a', closed);
    assert.deepEqual(calls.look('/a', [{ ...closed }], now), []);
    const conflicting = { ...review, forgeNews: '{"code":"FORGE_CONFLICTS"}' };
    assert.deepEqual(calls.look('/a', [conflicting], now), [conflicting]);
  });

  it('wait until a gate is prepared, and name it once however often it is prepared again', () => {
    const calls = new Attention();
    const interview = { ...review, status: 'WAITING_INTERVIEW_ANSWERS' as const };
    const preparing = { ...interview, needsPerson: false, preparing: true };
    assert.deepEqual(calls.look('/a', [preparing], now), []);
    assert.deepEqual(calls.look('/a', [interview], now), [interview]);
    calls.tell('/a', interview);
    assert.deepEqual(calls.look('/a', [preparing], now), []);
    assert.deepEqual(calls.look('/a', [interview], now), []);
  });

  it('tell tickets of the same id in two repositories apart', () => {
    const calls = new Attention();
    calls.look('/a', [], now);
    calls.look('/b', [], now);
    calls.tell('/a', review);
    assert.deepEqual(calls.look('/b', [review], now), [review]);
  });

  it('are for what a person has to know, and not for what they did themselves', () => {
    const kinds = [
      working,
      review,
      asking,
      ticketView({ status: 'COMPLETED' }),
      ticketView({ status: 'CANCELED' }),
    ].map(notificationKindOf);
    assert.deepEqual(kinds, [undefined, 'needsYou', 'questions', 'finished', undefined]);
    assert.equal(
      notificationKindOf(ticketView({ status: 'CODING', hold: 'paused', needsPerson: true })),
      undefined,
    );
    assert.equal(notificationKindOf(ticketView({ status: 'DRAFT' })), undefined);
  });
});

describe('A notification', () => {
  it('shows a text from outside as text: no link, no line breaks, and says when there is more', () => {
    assert.deepEqual(plainNotification(' rm  -rf x '), { text: 'rm -rf x', whole: true });
    assert.doesNotMatch(
      plainNotification('[ok](command:evil.run) and [ok] (https://x.example)').text,
      /\]\s*\(/,
    );
    // An error is shown whole, line breaks and all.
    const error = withoutLinks('[ok](command:evil.run)\n[ok]\n(https://x.example)');
    assert.doesNotMatch(error, /\]\s*\(/);
    assert.match(error, /^\[ok\].*command:evil\.run\)\n/);
    assert.equal(plainNotification('one\ntwo').whole, false);
    const long = plainNotification('x'.repeat(1_000));
    assert.equal(long.whole, false);
    assert.ok(long.text.length < 300);
  });

  it('has no icon that its author put there, as in lists', () => {
    assert.doesNotMatch(plainLabel('$(check) Approved by you $(x)'), /\$\(/);
  });

  it('counts down in minutes and seconds', () => {
    assert.equal(countdownText(now + 245_000, now), '4:05');
    assert.equal(countdownText(now - 1, now), '0:00');
    assert.equal(countdownText(now + 20 * 86_400_000, now), '', 'in weeks');
  });
});
