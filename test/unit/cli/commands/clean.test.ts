import assert from 'node:assert/strict';
import type { Cleanable } from '../../../../src/domain/core/cleaning.ts';
import type { Cleaned } from '../../../../src/protocol/upkeep.ts';
import { CommandBench, itRefuses } from '../../../support/commandBench.ts';
import { agentOf, FakeApp } from '../../../support/fakes/fakeApp.ts';

const dayMs = 86_400_000;
const now = Date.now();
const left = (changes: Partial<Cleanable>): Cleanable => ({
  ticket: 'TST-1',
  kind: 'texts',
  count: 2,
  bytes: 3_000_000,
  at: now - 40 * dayMs,
  ...changes,
});
const texts = left({});
const recent = left({ kind: 'log', at: now - 5 * dayMs });
const other = left({ ticket: 'TST-2', kind: 'attempts', bytes: 1_000_000, at: now - 50 * dayMs });
const persons = left({ ticket: null, kind: 'takenBack' });
const all = [texts, recent, other, persons];

/** What finished tickets left, and what was removed of it. */
function cleaning(failed: Cleaned['failed'] = []): { bench: CommandBench; removed: Cleanable[] } {
  const removed: Cleanable[] = [];
  const bench = new CommandBench(
    {},
    {
      app: new FakeApp({ view: { column: 'Done' } }, { ports: { agent: agentOf() } }),
      openCleaner: ({ repository }) => {
        assert.equal(repository.root, '/sample');
        return {
          list: () => Promise.resolve(all),
          remove: (wanted) => {
            removed.push(...wanted);
            return Promise.resolve({
              removed: wanted.filter((one) => !failed.some(({ kind }) => kind === one.kind)),
              failed,
            });
          },
        };
      },
    },
  );
  return { bench, removed };
}

describe('clean', () => {
  const shown = async (words: string): Promise<readonly Cleanable[]> =>
    (await cleaning().bench.json(words)).all('cleanable').map(({ type: _, ...one }) => one);

  it('shows what is older than the days that are kept, without what a person may have made', async () => {
    assert.deepEqual(await shown('clean'), [texts, other]);
    assert.deepEqual(await shown('clean --keep-days 45'), [other]);
    assert.deepEqual(await shown('clean --keep-days 0'), [recent, texts, other]);
    assert.deepEqual(await shown('clean --keep-megabytes 6'), [other]);
    assert.deepEqual(await shown('clean --all'), [texts, persons, other]);
    assert.deepEqual(await shown('clean TST-1'), [texts]);
  });

  it('lists it with its size, and removes nothing by itself', async () => {
    const { bench, removed } = cleaning();
    const { out, exit } = await bench.run('clean');
    assert.match(
      out,
      /^TST-1 {5}\d{4}-\d\d-\d\d +3\.0 MB {2}prompts and answers \(2\)\nTST-2 .* 1\.0 MB {2}refs of attempts \(2\)\nTotal: 4\.0 MB\.\n/,
    );
    assert.match(out, /Nothing was removed\. To remove it, add --yes\.\n$/);
    assert.deepEqual([exit, removed], [0, []]);
    assert.equal((await cleaning().bench.run('clean --keep-days 90')).out, 'There is nothing to remove.\n');
  });

  it('removes it with --yes, or after a yes', async () => {
    const { bench, removed } = cleaning();
    const { all: events, exit } = await bench.json('clean --yes');
    assert.deepEqual(removed, [texts, other]);
    assert.deepEqual(events('cleaned'), [{ type: 'cleaned', removed: 2, bytes: 4_000_000, failed: [] }]);
    assert.deepEqual([exit, bench.questions], [0, []]);
    for (const confirms of [true, false]) {
      const asked = cleaning();
      asked.bench.confirms = confirms;
      const { out } = await asked.bench.run('clean');
      assert.deepEqual(asked.bench.questions, ["Remove 4.0 MB? This can't be undone. [y/N] "]);
      assert.deepEqual([asked.removed.length, out.includes('Removed 4.0 MB.')], [confirms ? 2 : 0, confirms]);
    }
  });

  it('fails where something could not be removed, and says why', async () => {
    const { bench } = cleaning([{ ...other, reason: 'It is in use.' }]);
    const { out, exit } = await bench.run('clean --yes');
    assert.match(out, /Removed 3\.0 MB\.\nNot removed: TST-2 .*refs of attempts \(2\)\. It is in use\.\n$/);
    assert.equal(exit, 1);
  });

  itRefuses([
    ['clean TST-1', 2, /TST-1 isn't completed or canceled, so none of its data is removed\./],
    ['clean TST-9', 2, /The ticket TST-9 doesn't exist\./],
    ['clean everything', 2, /"everything" is not a valid ticket ID/],
    ['clean --keep-days some', 2, /--keep-days takes a whole number, not "some"\./],
  ]);
});
