import assert from 'node:assert/strict';
import type { TicketState } from '../../../../../src/protocol/pages/ticket.ts';
import { waysOn } from '../../../../../webview-ui/ticket/now/waysOn.ts';

const offers = ['steer', 'changeLimits', 'retry', 'continue', 'resume', 'cancel'].map((name) => ({
  name,
  label: name,
  detail: '',
  icon: '',
  part: null,
}));
const error: NonNullable<TicketState['error']> = {
  code: 'X',
  message: '',
  nextStep: '',
  diagnostics: '',
  tests: [],
  output: '',
  failed: null,
  raise: null,
  isPaused: false,
};
const names = (changes: Partial<typeof error>): readonly string[] =>
  waysOn({ ...error, ...changes }, offers).others.map(({ name }) => name);

describe('the ways on of a ticket that stopped', () => {
  it('have a retry with a note as part of the retry, and never as a button of its own beside it', () => {
    const { retry, others } = waysOn(error, offers);
    assert.deepEqual([retry?.name, others.some(({ name }) => name === 'retry')], ['retry', false]);
    assert.equal(waysOn(error, others).retry, undefined);
  });

  it('name what leads on once', () => {
    assert.deepEqual(names({}), ['steer', 'changeLimits', 'resume', 'cancel']);
    assert.deepEqual(names({ raise: 'continue' }), ['steer', 'continue', 'resume', 'cancel']);
    assert.deepEqual(names({ isPaused: true }), ['resume', 'cancel', 'steer', 'changeLimits']);
  });
});
