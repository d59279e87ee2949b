import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../.build/paths.mjs';
import type { Command } from '../../../src/cli/command.ts';
import { commands } from '../../../src/cli/commandTable.ts';

const folder = 'src/cli/commands';
const files = globSync('**/*.ts', { cwd: join(root, folder) }).map((file) => file.replaceAll('\\', '/'));
const testOf = (file: string): string => join(root, 'test/unit/cli/commands', file.replace(/\.ts$/, '.test.ts'));

/** The commands that a file exports, also in lists. */
async function commandsIn(file: string): Promise<readonly Command[]> {
  const module = (await import(join(root, folder, file))) as Record<string, unknown>;
  return Object.values(module)
    .flat()
    .filter((one): one is Command => commands.some((command) => command === one));
}

describe('the commands of the command line', () => {
  it('have a unit test for each of their files', () => {
    assert.deepEqual(
      files.filter((file) => !existsSync(testOf(file))),
      [],
    );
  });

  it('are each run by the unit test of their file', async () => {
    const found = await Promise.all(files.map(async (file) => ({ file, own: await commandsIn(file) })));
    const names = found.flatMap(({ own }) => own.map(({ name }) => name));
    assert.deepEqual(names.toSorted(), commands.map(({ name }) => name).toSorted(), 'the files have all commands of the table');
    const untried = found.flatMap(({ file, own }) => {
      const text = existsSync(testOf(file)) ? readFileSync(testOf(file), 'utf8') : '';
      return own.filter(({ name }) => !new RegExp(`['"\`]${name}(?=[ '"\`])`).test(text)).map(({ name }) => `${file}: ${name}`);
    });
    assert.deepEqual(untried, []);
  });
});
