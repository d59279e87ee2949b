import assert from 'node:assert/strict';
import { hasCode, roomsOf, shortfalls } from '../../../.build/coverage.mjs';

describe('coverage', () => {
  it('counts lines by room, and says which files lack most', () => {
    const rows = roomsOf([
      { file: 'src/engine/a.ts', lines: 10, covered: 4 },
      { file: 'src/domain/c.ts', lines: 3, covered: 3 },
      { file: 'src/engine/deep/b.ts', lines: 30, covered: 29 },
    ]);
    assert.deepEqual(
      rows.map(({ room, percent, missing }) => ({ room, percent, missing: missing.map(({ file }) => file) })),
      [
        { room: 'domain', percent: 100, missing: [] },
        { room: 'engine', percent: 82.5, missing: ['src/engine/a.ts', 'src/engine/deep/b.ts'] },
      ],
    );
  });

  it('leaves out what has nothing to run', () => {
    assert.ok(
      !hasCode(
        `import type { A } from './a.ts';\n/** A shape. */\nexport interface B { readonly a: A }\nexport type C = B; // a comment\n`,
      ),
    );
    assert.ok(hasCode('export const one: number = 1;\n'));
    assert.ok(hasCode("export * from './a.ts';\n"));
  });

  it('asks 85 % of four rooms, and nothing of the others', () => {
    const row = (room: string, percent: number) => ({
      room,
      lines: 100,
      covered: percent,
      percent,
      missing: [],
    });
    const good = ['domain', 'engine', 'context', 'phases'].map((room) => row(room, 85));
    assert.deepEqual(shortfalls([...good, row('views', 10)]), []);
    assert.deepEqual(shortfalls([...good.slice(1), row('domain', 84.99)]), [
      'domain has 84.9 % of its lines covered, and needs 85 %',
    ]);
  });

  it('does not take a room that is gone for a covered one', () => {
    assert.equal(shortfalls([]).length, 4);
  });
});
