import assert from 'node:assert/strict';
import type { TicketState } from '../../../../../src/protocol/pages/ticket.ts';
import { waysOn } from '../../../../../webview-ui/ticket/now/waysOn.ts';

const offers = ['steer', 'changeLimits', 'decideFailedBead', 'retry', 'continue', 'resume', 'cancel'].map(
  (name) => ({
    name,
    label: name,
    detail: '',
    icon: '',
    part: null,
  }),
);
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
    assert.deepEqual(names({}), ['steer', 'changeLimits', 'decideFailedBead', 'resume', 'cancel']);
    assert.deepEqual(names({ raise: 'continue' }), [
      'steer',
      'decideFailedBead',
      'continue',
      'resume',
      'cancel',
    ]);
    assert.deepEqual(names({ isPaused: true }), [
      'resume',
      'cancel',
      'steer',
      'changeLimits',
      'decideFailedBead',
    ]);
  });

  it('leave to the choices about a failed bead what these offer', () => {
    const failed = {
      bead: 'greet',
      analysis: null,
      proposed: [],
      sha256: null,
      choices: [{ choice: 'retry' as const, label: 'Retry the Bead', icon: 'refresh' }],
    };
    const { isRetryChosen, others } = waysOn({ ...error, failed }, offers);
    assert.deepEqual([isRetryChosen, waysOn(error, offers).isRetryChosen], [true, false]);
    assert.deepEqual(
      others.map(({ name }) => name),
      ['steer', 'changeLimits', 'continue', 'resume', 'cancel'],
    );
  });
});
