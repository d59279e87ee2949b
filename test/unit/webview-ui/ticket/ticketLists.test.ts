import assert from 'node:assert/strict';
import type { LogLine } from '../../../../src/protocol/history.ts';
import type { TicketHint } from '../../../../src/protocol/pages/ticket.ts';
import { type Activity, merged, type Pages, withHint } from '../../../../webview-ui/ticket/shared/lists.ts';

describe('live activity', () => {
  const hint = (kind: TicketHint['kind'], text: string, source = 'a/one'): TicketHint => ({
    at: 1,
    kind,
    source,
    text,
  });
  const list = (...hints: TicketHint[]): readonly Activity[] =>
    hints.reduce<readonly Activity[]>(withHint, []);

  it('puts the pieces of what one model says together, and nothing else', () => {
    const shown = list(
      hint('text', 'Let '),
      hint('text', 'me see'),
      hint('tool', 'read a'),
      hint('tool', 'read b'),
      hint('text', 'Ah'),
      hint('text', 'Oh', 'b/two'),
    );
    assert.deepEqual(
      shown.map((one) => one.hint.text),
      ['Let me see', 'read a', 'read b', 'Ah', 'Oh'],
    );
  });

  it('stays small, however much is said', () => {
    const long = list(
      ...Array.from({ length: 500 }, (_, index) =>
        hint(index % 2 === 0 ? 'tool' : 'text', 'y'.repeat(2_000)),
      ),
    );
    assert.equal(long.length, 60);
    assert.equal(new Set(long.map(({ key }) => key)).size, 60);
    const speech = list(...Array.from({ length: 500 }, () => hint('text', 'y'.repeat(100))));
    assert.ok(speech.length === 1 && (speech[0]?.hint.text.length ?? 0) <= 1_200);
  });
});

describe('pages of the log', () => {
  const row = (number: number): LogLine => ({
    number,
    at: number,
    source: 'engine',
    level: 'info',
    text: String(number),
  });
  const page = (from: number, to: number, earlier: number | null = from): Pages => ({
    lines: Array.from({ length: to - from }, (_, index) => row(from + index)),
    earlier,
  });
  const numbers = ({ lines }: Pages): readonly (number | undefined)[] => [
    lines[0]?.number,
    lines.at(-1)?.number,
    lines.length,
  ];

  it('grow at both ends without a line twice', () => {
    const first = merged(undefined, page(100, 200));
    const newer = merged(first, page(150, 250));
    assert.deepEqual([...numbers(newer), newer.earlier], [100, 249, 150, 100]);
    const older = merged(newer, page(0, 100, null), 100);
    assert.deepEqual([...numbers(older), older.earlier], [0, 249, 250, null]);
  });

  it('take earlier lines once, however often and late they come', () => {
    const known = merged(page(100, 200), page(50, 100), 100);
    assert.deepEqual(numbers(merged(known, page(50, 100), 100)), [50, 199, 150], 'asked for twice');
    const anew = merged(known, page(500, 600));
    assert.equal(merged(anew, page(0, 50, null), 50), anew, 'there is a gap between them');
  });

  it('start again where more was written than one page holds', () => {
    const after = merged(page(0, 100, null), page(500, 600));
    assert.deepEqual([...numbers(after), after.earlier], [500, 599, 100, 500]);
  });

  it('stay few enough to be shown', () => {
    const long = merged(page(1_000, 4_000), page(3_900, 4_100));
    assert.deepEqual([...numbers(long), long.earlier], [1_100, 4_099, 3_000, 1_100]);
    const older = merged(page(1_000, 4_000), page(800, 1_000), 1_000);
    assert.deepEqual(numbers(older), [800, 3_799, 3_000]);
    // Who reads so far up isn't torn away by what is written now.
    assert.equal(merged(older, page(9_000, 9_100)), older);
  });
});
