import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { locations } from '../../src/app/locations.ts';
import { TextThread } from '../../src/app/textThread.ts';
import { redact } from '../../src/base/redact.ts';
import { hostileTexts, repeatedTo, slowestTexts, trickyParts } from './hostileTexts.ts';
import { readersApart, textReaders } from './textReaders.ts';

const size = 500_000;
/** What `count` takes on the machine that the bounds were set on, in milliseconds. */
const countMs = 40;
/**
 * For so long the thread that everything else runs in may compute at a stretch, on a machine that counts in
 * `countMs`.
 */
const mostMs = 50;

describe('Hostile input', function () {
  this.timeout(300_000);
  const texts = hostileTexts(size);

  for (const [name, reader] of Object.entries(textReaders))
    it(`reads ${name} in little time, whatever it says`, async () => {
      assert.deepEqual(await slowOf(reader, texts), []);
    });

  it('reads made-up texts in little time', async () => {
    const part = fc.constantFrom(...trickyParts);
    const unit = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(part, unit, part, async (start, middle, end) => {
        const made = new Map([
          [JSON.stringify({ start, middle, end }), `${start}${repeatedTo(middle, size)}${end}`],
        ]);
        for (const [name, reader] of Object.entries(textReaders))
          assert.deepEqual(await slowOf(reader, made), [], name);
      }),
      { numRuns: 10, endOnFailure: true },
    );
  });

  for (const places of [undefined, { home: '/home/ada', user: 'ada', repositories: ['/projects/shop'] }])
    it(`redacts a report${places ? ' with its places' : ''} in a time that grows with its length alone`, async () => {
      const known = places ? { places } : {};
      // A person asks for a report and waits for it, so it is only compared with one of a tenth of its
      // length, of which this would be true too.
      assert.deepEqual(await slowOf((text) => redact(text, known), texts, 20 * mostMs), []);
    });

  describe('in a thread', () => {
    // A text that takes longer is refused; what is measured is the thread that asks.
    const thread = new TextThread(locations.textWorker, 200);
    const worst = new Map([...texts].filter(([name]) => slowestTexts.includes(name)));

    for (const [name, reader] of Object.entries(readersApart(thread)))
      it(`reads ${name} without holding up anything else`, async () => {
        assert.deepEqual(await slowOf(reader, worst), []);
      });
  });
});

/** The same work each time: how long it takes says how slow the machine is. */
function count(): number {
  let sum = 0;
  for (let at = 0; at < 30_000_000; at++) sum += at % 7;
  return sum;
}

async function slowOf(
  reader: (text: string) => unknown,
  texts: ReadonlyMap<string, string>,
  most = mostMs,
): Promise<readonly string[]> {
  await reader('title: a\n');
  const slow: string[] = [];
  for (const [kind, text] of texts) {
    const blocked = await leastOf(3, most, () => longestBlock(() => reader(text)));
    if (blocked > most) slow.push(`${kind}: ${Math.round(blocked)} ms`);
  }
  return slow;
}

/**
 * The least of some tries: a cold start or the collection of garbage may have made the others longer. One
 * that is little enough is the last. A try that takes longer counts for less where the machine is slow just
 * then, as the same work says that is done right after it.
 */
async function leastOf(tries: number, most: number, measure: () => Promise<number>): Promise<number> {
  let least = Infinity;
  for (let at = 0; at < tries && least > most; at++) {
    const taken = await measure();
    const slowness = taken > most ? Math.max(1, (await longestBlock(count)) / countMs) : 1;
    least = Math.min(least, taken / slowness);
  }
  return least;
}

/**
 * The longest time, in milliseconds, for which this thread computed without a turn for anything else while
 * something was done. It is time of the processor, so that other processes of the machine don't count.
 */
async function longestBlock(work: () => unknown): Promise<number> {
  let longest = 0;
  let since = process.threadCpuUsage();
  const turn = (): void => {
    const { user, system } = process.threadCpuUsage(since);
    since = process.threadCpuUsage();
    longest = Math.max(longest, (user + system) / 1_000);
  };
  const done = new AbortController();
  const ticking = (async () => {
    while (!done.signal.aborted) {
      await new Promise((resolve) => setImmediate(resolve));
      turn();
    }
  })();
  try {
    await work();
  } finally {
    turn();
    done.abort();
    await ticking;
  }
  return longest;
}
