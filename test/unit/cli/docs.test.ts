import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliDocs } from '../../../.build/cliDocs.mjs';
import { exitCodes } from '../../../src/cli/base/exitCodes.ts';
import { commands } from '../../../src/cli/commandTable.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/cli.md'), 'utf8');

describe('docs/cli.md', () => {
  it('is what the table of commands says; `node .build/cliDocs.mjs` brings it up to date', async () => {
    assert.equal(page, await cliDocs());
  });

  it('tells of commands with names of their own', () => {
    const names = commands.map((command) => command.name);
    assert.deepEqual(names, [...new Set(names)]);
  });

  it('says what each exit code means', () => {
    for (const code of Object.values(exitCodes))
      assert.match(page, new RegExp(`^\\| (?:\\d+, )*${String(code)}(?:, \\d+)* \\|`, 'm'), String(code));
  });
});
