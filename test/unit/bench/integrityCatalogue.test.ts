import assert from 'node:assert/strict';
import { earlierFiles } from '../../../src/domain/proof/earlierTests.ts';
import { findWeakenings } from '../../../src/domain/proof/testIntegrity.ts';
import { honestWork, weakenings } from '../../bench/integrity/catalogue.ts';
import { changesOf, type WeakeningRow } from '../../bench/integrity/row.ts';

/**
 * What only texts and paths say of a row: it is asked about, or the tests of before are put back to judge it.
 */
function seenIn(row: WeakeningRow): boolean {
  const compared = changesOf(row).map((one) => ({
    ...one,
    oldPath: null,
    change: one.before === null ? 'added' : one.after === null ? 'deleted' : 'modified',
  }));
  const found = findWeakenings(compared.map(({ path, before, after }) => ({ path, before, after })));
  const { restored, texts } = earlierFiles(compared, row.planned);
  const isAsked = found.some(({ kind, path }) => kind !== 'changed' || !row.planned.includes(path));
  return isAsked || restored.length > 0 || Object.keys(texts).length > 0;
}

describe('the catalogue of ways to weaken tests', () => {
  it('has at least 70 of them, and 30 rows of honest work, each with a name of its own', () => {
    const rows = Object.values(weakenings).flat();
    assert.ok(rows.length >= 70);
    assert.ok(honestWork.length >= 30);
    for (const list of [...Object.values(weakenings), honestWork]) {
      const names = list.map(({ name, tool }) => `${tool}: ${name}`);
      assert.deepEqual(names, [...new Set(names)]);
    }
    for (const { name, before, after } of rows)
      assert.ok(
        Object.entries(after).some(([path, text]) => (before[path] ?? null) !== text),
        name,
      );
  });

  for (const language of ['go', 'rust', 'java'] as const)
    for (const row of weakenings[language] ?? [])
      it(`is seen without running anything, ${language}: ${row.name}`, () => {
        assert.ok(seenIn(row));
      });

  for (const row of honestWork)
    it(`is no finding in texts alone, ${row.tool}: ${row.name}`, () => {
      const found = findWeakenings(changesOf(row)).filter(
        ({ kind, path }) => kind !== 'changed' && !(kind === 'deleted' && row.planned.includes(path)),
      );
      assert.deepEqual(found, []);
    });
});
