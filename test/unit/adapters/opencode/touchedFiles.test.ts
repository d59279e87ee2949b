import assert from 'node:assert/strict';
import { StoredMessages } from '../../../../src/adapters/opencode/messages/storedMessages.ts';
import { touchedFiles } from '../../../../src/adapters/opencode/touchedFiles.ts';

describe('what the tools of a session changed', () => {
  const call = (tool: string, input: object, start: number, end?: number) => ({
    type: 'tool',
    tool,
    callID: `c${String(start)}`,
    state: {
      status: end === undefined ? 'running' : 'completed',
      input,
      time: { start, ...(end === undefined ? {} : { end }) },
    },
  });
  const session = (...parts: readonly object[]) =>
    touchedFiles(
      StoredMessages.parse([
        { info: { role: 'user', id: '1', time: { created: 10 } }, parts: [] },
        {
          info: {
            role: 'assistant',
            id: '2',
            parentID: '1',
            providerID: 'p',
            modelID: 'm',
            cost: 0,
            tokens: { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } },
            time: { created: 11, completed: 100 },
          },
          parts,
        },
      ]),
      '/repository/tree',
    );

  it('are the files that they name, and the time in which a command ran', () => {
    const touched = session(
      call('read', { filePath: '/repository/tree/read.txt' }, 12, 13),
      call('write', { filePath: '/repository/tree/src/new.txt' }, 14, 15),
      call('edit', { filePath: 'old.txt' }, 16, 17),
      call('write', { filePath: '/elsewhere/out.txt' }, 18, 19),
      call('bash', { command: 'make && make test 2>&1' }, 20, 30),
    );
    assert.deepEqual(touched, {
      since: 10,
      paths: ['src/new.txt', 'old.txt'],
      spans: [{ from: 20, to: 30 }],
    });
  });

  it('lasts until the answer where a command leaves something at work, or never ended', () => {
    for (const command of [
      'npm run dev &',
      'nohup ./serve',
      'setsid ./serve',
      'docker compose up -d',
      'tsc --watch',
    ])
      assert.deepEqual(session(call('bash', { command }, 20, 21)).spans, [{ from: 20, to: 100 }], command);
    assert.deepEqual(session(call('bash', { command: 'sleep 100' }, 20)).spans, [{ from: 20, to: 100 }]);
  });

  it('takes a tool that nobody knows for one that may change any file', () => {
    assert.deepEqual(session(call('task', { prompt: 'x' }, 20, 30), call('mine_format', {}, 40, 50)).spans, [
      { from: 20, to: 30 },
      { from: 40, to: 50 },
    ]);
  });
});
