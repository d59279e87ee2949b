import assert from 'node:assert/strict';
import { approvedKinds } from '../../../src/domain/documents/workDocuments.ts';

/** Pages read their language from the document as soon as they are loaded. */
const page = globalThis as { document?: unknown };
const file = '../../../webview-ui/base/format.ts';

/** Not named in the import, because it is checked as code of a browser. */
interface Format {
  readonly duration: (ms: number) => string;
  readonly count: (value: number) => string;
  readonly cost: (value: number) => string;
  readonly when: (at: number, now: number) => string;
  readonly documentName: (kind: string) => string;
  readonly outcomeText: (outcome: string) => string;
}

describe('numbers, times and names on pages', () => {
  let format: Format;

  before(async () => {
    page.document = { documentElement: { lang: 'en' } };
    format = (await import(file)) as Format;
  });
  after(() => delete page.document);

  for (const [ms, expected] of [
    [0, '0 sec'],
    [-60_000, '0 sec'],
    [49, '0 sec'],
    [1_250, '1.3 sec'],
    [9_960, '10 sec'],
    [59_499, '59 sec'],
    [59_700, '1 min 0 sec'],
    [61_000, '1 min 1 sec'],
    [3_599_700, '1 hr 0 min'],
    [5_400_000, '1 hr 30 min'],
    [90_061_000, '25 hr 1 min'],
    [172_800_000, '2 days 0 hr'],
    [1_727_999_000, '19 days 23 hr'],
  ] as const)
    it(`say ${expected} of ${String(ms)} ms`, () => {
      assert.equal(format.duration(ms), expected);
    });

  it('group tokens, and show money to a hundredth of a cent', () => {
    assert.deepEqual([0, 999, 1_000, 12_345_678].map(format.count), ['0', '999', '1,000', '12,345,678']);
    assert.deepEqual([0, 0.1, 1.23456, 1_234.5, 0.00001].map(format.cost), [
      '$0.00',
      '$0.10',
      '$1.2346',
      '$1,234.50',
      '$0.00',
    ]);
  });

  it('name the day only of what wasn’t today', () => {
    const now = new Date(2026, 4, 10, 12).getTime();
    assert.match(format.when(now, now), /^12:00:00\sPM$/);
    assert.match(format.when(now - 24 * 3_600_000, now), /May 9, 2026/);
  });

  it('have a name for each document and each outcome, and never the code’s own', () => {
    for (const kind of [...approvedKinds, 'manual_qa_checklist', 'something_new'])
      assert.match(format.documentName(kind), /^[A-Z][A-Za-z ]+$/, kind);
    assert.deepEqual(['completed', 'timed_out', 'invalid_output', 'constructor'].map(format.outcomeText), [
      'completed',
      'timed out',
      'no usable answer',
      'failed',
    ]);
  });
});
