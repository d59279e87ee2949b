import assert from 'node:assert/strict';
import * as z from 'zod';
import { hostileTexts, slowestTexts } from '../../../../hostile/hostileTexts.ts';
import { PrdDraft } from '../../../../../src/domain/requirements/prd.ts';
import { parseLines } from '../../../../../src/phases/shared/structured/parseLines.ts';
import { parseStructured } from '../../../../../src/phases/shared/structured/parseStructured.ts';
import { treeOf } from '../../../../../src/phases/shared/structured/text/tree.ts';

const Simple = z.object({
  id: z.string().optional(),
  title: z.string(),
  items: z.array(z.string()).default([]),
});
const readDocument = parseStructured({ schema: PrdDraft });
const readLines = parseLines({ schema: Simple });
const worst = [
  ...slowestTexts,
  'carriage returns',
  'line feeds',
  'both line ends',
  'spaces on lines',
  'a text after spaces',
  'fences',
  'aliases',
  'anchored keys',
  'different aliases',
  'different anchors',
];
const size = 700;
const longer = 6;
const mostFactor = 4;
/** The clock of a thread counts in steps of some milliseconds. */
const leastMs = 25;
/** Compiling and collecting memory spoil a few tries of a linear reading. */
const tries = 12;

describe('Reading a long answer', function () {
  this.timeout(240_000);

  const slowOf = (read: (text: string) => unknown): readonly string[] => {
    const [short, long] = [hostileTexts(size), hostileTexts(longer * size)];
    read('title: a\n');
    return worst.flatMap((kind) => {
      const readIt = (texts: ReadonlyMap<string, string>) => () => read(texts.get(kind) ?? '');
      const factor = factorOf(readIt(short), readIt(long));
      return factor > mostFactor ? [`${kind}: ${factor.toFixed(1)} times as long`] : [];
    });
  };

  it('takes a time that grows with its length alone, whatever its lines say', () => {
    assert.deepEqual(slowOf(readLines), []);
  });

  it('does so for documents', () => {
    assert.deepEqual(slowOf(readDocument), []);
  });

  it('does so for thousands of aliases that name nothing', () => {
    const flow = (count: number) => () => treeOf(`[${'*a, '.repeat(count)}b]`);
    assert.ok(factorOf(flow(500), flow(longer * 500)) <= mostFactor);
  });

  it('describes the first error with its place and its line', () => {
    const said = (text: string): string => {
      const tree = treeOf(text);
      return tree.ok ? assert.fail('it should be refused') : tree.error;
    };
    assert.equal(
      said('title: a: b'),
      'Nested mappings are not allowed in compact mappings at line 1, column 8:\n\ntitle: a: b\n       ^\n',
    );
    const line = said(`a: "b"${' c'.repeat(200)}`);
    assert.match(line, /^Unexpected scalar at node end at line 1, column \d+:\n\n/);
    assert.ok((line.split('\n')[2] ?? '').length <= 80);
  });
});

/** The time of a long text by that of short ones of the same length in all, in the most favorable try. */
function factorOf(short: () => unknown, long: () => unknown): number {
  const shorts = () => {
    for (let at = 0; at < longer; at++) short();
  };
  let [less, more] = [0, Infinity];
  for (let attempt = 0; attempt < tries; attempt++) {
    more = Math.min(more, millisecondsOf(long));
    if (more < leastMs) return 1;
    less = Math.max(less, millisecondsOf(shorts));
    if (more <= mostFactor * less) break;
  }
  return more / less;
}

function millisecondsOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
