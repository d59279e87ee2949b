import assert from 'node:assert/strict';
import { passagesOf } from '../../../../webview-ui/ticket/work/answers.ts';

const status = '<BEAD_STATUS>\nnonce: n1\nstatus: done\n</BEAD_STATUS>';

describe('what a model wrote', () => {
  const kinds = (text: string): readonly string[] => passagesOf(text).map(({ kind }) => kind);

  it('is for people, or for the engine, in its order', () => {
    assert.deepEqual(passagesOf(`The tests pass.\n\n${status}\nDone.`), [
      { kind: 'words', text: 'The tests pass.' },
      { kind: 'data', text: status },
      { kind: 'words', text: 'Done.' },
    ]);
    assert.deepEqual(kinds('{"id":"greet"}\n{"id":"wave"}'), ['data']);
    assert.deepEqual(passagesOf(`${status}\n\n${status}`), [
      { kind: 'data', text: `${status}\n\n${status}` },
    ]);
    assert.deepEqual(kinds('Here it is:\n\n```yaml\nid: greet\n```'), ['words', 'data']);
  });

  it('is for people while it is being written, and where it is code', () => {
    for (const text of [
      '<BEAD_STATUS>\nnonce',
      'Use <b>bold</b>.',
      '```ts\nconst a = {};\n```',
      'Ready {or not}.',
    ])
      assert.deepEqual(passagesOf(text), [{ kind: 'words', text }]);
    assert.deepEqual(passagesOf(' \n'), []);
  });
});
