import assert from 'node:assert/strict';
import {
  transcriptOf,
  type StoredMessage,
} from '../../../../../src/adapters/opencode/messages/storedMessages.ts';

const message = (role: 'user' | 'assistant', ...parts: StoredMessage['parts']): StoredMessage =>
  ({ info: { role, id: 'msg' }, parts }) as unknown as StoredMessage;

describe('the transcript of a session', () => {
  it('has the texts of each message, and no reasoning', () => {
    const transcript = transcriptOf([
      message(
        'user',
        { type: 'text', text: 'Greet.' },
        { type: 'file', text: 'a file' },
        { type: 'text', text: 'Twice.' },
      ),
      message(
        'assistant',
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'Hello.' },
        { type: 'text' },
      ),
    ]);
    assert.deepEqual(transcript, [
      { role: 'user', text: 'Greet.\nTwice.', calls: [], results: [] },
      { role: 'assistant', text: 'Hello.', calls: [], results: [] },
    ]);
  });

  it('has the tools that were used, with what they gave back or failed with', () => {
    const tool = (callID: string, state?: StoredMessage['parts'][number]['state']) =>
      ({ type: 'tool', tool: 'read', callID, ...(state === undefined ? {} : { state }) }) as const;
    const [only] = transcriptOf([
      message(
        'assistant',
        tool('1', { status: 'completed', input: {}, title: 'a.ts', output: 'text' }),
        tool('2', { status: 'completed', input: {}, output: '' }),
        tool('3', { status: 'error', input: {}, error: 'There is no file.' }),
        tool('4', { status: 'running', input: {} }),
        tool('5'),
        { type: 'tool', tool: 'read' },
      ),
    ]);
    assert.deepEqual(only?.calls, [
      { id: '1', tool: 'read', about: 'a.ts' },
      ...['2', '3', '4', '5'].map((id) => ({ id, tool: 'read', about: '' })),
    ]);
    assert.deepEqual(only.results, [
      { id: '1', output: 'text' },
      { id: '2', output: '' },
      { id: '3', output: 'There is no file.' },
    ]);
  });
});
