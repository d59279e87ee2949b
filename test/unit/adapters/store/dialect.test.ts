import assert from 'node:assert/strict';
import { postgresMigrations, toPostgres } from '../../../../src/adapters/store/postgres/dialect.ts';
import { migrations } from '../../../../src/adapters/store/sql/migrations.ts';

describe('the dialect of PostgreSQL', () => {
  for (const [sql, expected] of [
    ['SELECT ? WHERE a = ?', 'SELECT $1 WHERE a = $2'],
    ['SELECT ?2, ?1, ?2', 'SELECT $2, $1, $2'],
    [`SELECT '?', "a?" WHERE a = ?`, `SELECT '?', "a?" WHERE a = $1`],
    [`SELECT 'it''s ?' WHERE a = ?1`, `SELECT 'it''s ?' WHERE a = $1`],
  ] as const)
    it(`numbers values, and leaves texts and names alone: ${sql}`, () => {
      assert.equal(toPostgres(sql), expected);
    });

  it('has every step of the tables, without a word of SQLite', () => {
    assert.equal(postgresMigrations.length, migrations.length);
    assert.doesNotMatch(postgresMigrations.join(''), /STRICT|ROWID\b|AUTOINCREMENT|\bANY\b|\bREAL\b|PRAGMA/);
  });
});
