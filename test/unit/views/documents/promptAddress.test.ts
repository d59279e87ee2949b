import assert from 'node:assert/strict';
import { parsePromptAddress, promptUri } from '../../../../src/views/documents/promptAddress.ts';

describe('the address of a prompt', () => {
  it('is read as it was made', () => {
    const uri = promptUri('/home/ada/sample', 'TST-1', { id: 'run:1/ask#ses#1', prompt: 'coding' });
    const place = parsePromptAddress(uri);
    assert.deepEqual([place?.ticket, place?.call], ['TST-1', 'run:1/ask#ses#1']);
    assert.match(uri.path, /\/coding\.md$/);
  });

  it('is refused when it is not one of ours', () => {
    const { scheme, authority, path, query } = promptUri('/home/ada/sample', 'TST-1', {
      id: '1',
      prompt: '../x',
    });
    assert.doesNotMatch(path, /\.\./);
    for (const changed of [
      { scheme: 'file' },
      { authority: '' },
      { path: '/TST-1' },
      { path: '/../x.md' },
      { query: '{}' },
      { query: 'no' },
    ])
      assert.equal(parsePromptAddress({ scheme, authority, path, query, ...changed }), undefined);
  });
});
