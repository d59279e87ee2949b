import assert from 'node:assert/strict';
import {
  getAt,
  insertAt,
  moveAt,
  removeAt,
  setAt,
  textAt,
} from '../../../../../../webview-ui/ticket/documents/form/jsonPath.ts';

describe('editing a document by paths', () => {
  const document = { epics: [{ id: 'E1', stories: ['a', 'b', 'c'], odd: { kept: true } }], unknown: [1, 2] };

  it('changes one place and keeps everything beside it, also what nobody knows', () => {
    const next = setAt(document, ['epics', 0, 'stories', 1], 'B');
    assert.deepEqual(next, {
      epics: [{ id: 'E1', stories: ['a', 'B', 'c'], odd: { kept: true } }],
      unknown: [1, 2],
    });
    assert.equal(document.epics[0]?.stories[1], 'b');
  });

  it('makes what is missing on the way', () => {
    assert.deepEqual(setAt({}, ['verification', 'required_commands', 0], 'npm test'), {
      verification: { required_commands: ['npm test'] },
    });
  });

  it('puts in, takes out and moves items of a list', () => {
    assert.deepEqual(getAt(insertAt(document, ['epics', 0, 'stories'], 1, 'x'), ['epics', 0, 'stories']), [
      'a',
      'x',
      'b',
      'c',
    ]);
    assert.deepEqual(getAt(removeAt(document, ['epics', 0, 'stories'], 0), ['epics', 0, 'stories']), [
      'b',
      'c',
    ]);
    assert.deepEqual(getAt(moveAt(document, ['epics', 0, 'stories'], 2, 0), ['epics', 0, 'stories']), [
      'c',
      'a',
      'b',
    ]);
    assert.equal(moveAt(document, ['epics', 0, 'stories'], 2, 3), document);
    assert.deepEqual(insertAt({}, ['risks'], 0, 'r'), { risks: ['r'] });
  });

  it('reads texts, and shows other values as JSON', () => {
    assert.equal(textAt(document, ['epics', 0, 'id']), 'E1');
    assert.equal(textAt(document, ['unknown', 0]), '1');
    assert.equal(textAt(document, ['nowhere', 3]), '');
  });
});
