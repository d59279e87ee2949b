import assert from 'node:assert/strict';
import { readTicketDocument, ticketDocument } from '../../../../src/domain/ticket/ticketDocument.ts';

describe('the document of a draft', () => {
  it('has the title as its heading and the description below, and is read as it was written', () => {
    for (const text of [
      { title: 'Add CSV export', description: '' },
      { title: '# of rows is wrong', description: '    indented first\n\n# A heading\n\n```\ncode\n```' },
    ])
      assert.deepEqual(readTicketDocument(ticketDocument(text)), { ...text, problems: [] });
  });

  it('takes what people paste: no mark, other line ends, a byte order mark, colors', () => {
    const pasted =
      '\uFEFF\r\nExport fails\tsometimes\r\n\r\n\u001B[31mError: no rows\u001B[0m\r\n  at sum.ts:7\r\n';
    assert.deepEqual(readTicketDocument(pasted), {
      title: 'Export fails sometimes',
      description: 'Error: no rows\n  at sum.ts:7',
      problems: [],
    });
  });

  it('leaves the hint of the template out, and every other comment in', () => {
    const text = '# Export\n\n<!-- Describe it. -->\n\nAs CSV. <!-- Or JSON? -->\n';
    assert.equal(readTicketDocument(text, '<!-- Describe it. -->').description, 'As CSV. <!-- Or JSON? -->');
  });

  it('says at its line what is missing or can’t be stored', () => {
    const problems = (text: string): unknown =>
      readTicketDocument(text).problems.map(({ line, message }) => [line, message]);
    assert.deepEqual(problems(''), [[0, 'A ticket needs a title.']]);
    assert.deepEqual(problems('\n#  \n\nAll of it.'), [[1, 'A ticket needs a title.']]);
    assert.deepEqual(problems(`# ${'x'.repeat(201)}`), [[0, 'A title has 200 characters at most.']]);
    assert.deepEqual(problems(`# Export\n\n${'x'.repeat(999_000)}\n${'y'.repeat(2_000)}\nno`), [
      [3, 'A description has 1,000,000 characters at most.'],
    ]);
    assert.match(
      JSON.stringify(problems('# Export\n\nfine\nnot\0fine')),
      /^\[\[3,"A description may not hold/,
    );
  });
});
