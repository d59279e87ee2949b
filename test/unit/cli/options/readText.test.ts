import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from '../../../../src/cli/options/options.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';

describe('a text that a command is given', () => {
  const makeFolder = tempFolders();
  const place = async (input = '') => ({ cwd: await makeFolder(), readInput: () => Promise.resolve(input) });

  it('is the file, from where the person is, or standard input', async () => {
    const here = await place('piped');
    await writeFile(join(here.cwd, 'a.md'), 'Grüße\n');
    assert.equal(await readText(here, 'a.md'), 'Grüße\n');
    assert.equal(await readText(here, join(here.cwd, 'a.md')), 'Grüße\n');
    assert.equal(await readText(here, '-'), 'piped');
  });

  it('is refused with what is wrong with it', async () => {
    const here = await place('x'.repeat(10_000_001));
    await writeFile(join(here.cwd, 'binary.md'), Buffer.from([0xff, 0xfe, 0x00]));
    await writeFile(join(here.cwd, 'large.md'), Buffer.alloc(10_000_001));
    for (const [path, message] of [
      ['-', "Standard input can't be used: it is larger than 10 MB"],
      ['large.md', "large.md can't be used: it is larger than 10 MB"],
      ['binary.md', "binary.md can't be used: it is not UTF-8 text"],
      ['missing.md', "missing.md can't be used: no such file or directory (ENOENT)"],
      ['.', /^\. can't be used: .*\(EISDIR\)$/],
    ] as const)
      await assert.rejects(readText(here, path), { code: 'INVALID_INPUT', message });
  });
});
