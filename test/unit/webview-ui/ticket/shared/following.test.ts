import assert from 'node:assert/strict';
import { followed, toggled } from '../../../../../webview-ui/ticket/shared/following.ts';

describe('the parts of a ticket’s page', () => {
  it('follow the ticket: what was answered closes, what comes next opens, and the rest stays', () => {
    const opened = { due: 'plan', open: ['details', 'plan'] };
    assert.deepEqual(followed(opened, 'work', false), { due: 'work', open: ['details', 'work'] });
    assert.deepEqual(followed(opened, null, false), { due: null, open: ['details'] });
  });

  it('close nothing under the hands of a person who is typing', () => {
    assert.deepEqual(followed({ due: 'plan', open: ['plan'] }, 'work', true), {
      due: 'work',
      open: ['plan', 'work'],
    });
  });

  it('open once, also what a person had opened before', () => {
    assert.deepEqual(followed({ due: 'work', open: ['work', 'review'] }, 'review', false), {
      due: 'review',
      open: ['review'],
    });
  });

  it('open and close by hand, what is due too', () => {
    const opened = { due: 'plan', open: ['plan'] };
    assert.deepEqual(toggled(opened, 'details').open, ['plan', 'details']);
    assert.deepEqual(toggled(opened, 'plan').open, []);
  });
});
