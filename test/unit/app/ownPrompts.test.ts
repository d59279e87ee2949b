import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PromptFiles } from '../../../src/adapters/files/promptFiles.ts';
import { ownPromptFolder } from '../../../src/adapters/system/configRoot.ts';
import { checkPrompts } from '../../../src/app/checkBody.ts';
import { checkOwnPrompts } from '../../../src/app/checkup.ts';
import { copyPrompt, promptEntries } from '../../../src/app/ownPrompts.ts';
import { tempFolders } from '../../support/git/tempRepository.ts';
import { withCode } from '../../support/git/gitBench.ts';

const shipped = join(import.meta.dirname, '../../../prompts');

describe('the person’s own prompts', () => {
  const makeFolder = tempFolders();
  let folder = '';
  let prompts: PromptFiles;
  const found = async (): Promise<readonly string[]> => {
    const lines: string[] = [];
    for await (const { result, code, args } of checkOwnPrompts(prompts))
      lines.push(`${result} ${code} ${Object.values(args).join(' ')}`);
    return lines;
  };
  beforeEach(async () => {
    folder = join(await makeFolder(), 'beadsmith', 'prompts');
    prompts = new PromptFiles(shipped, { folder, apart: [] });
  });

  it('start as copies of those that ship, and are never replaced by one', async () => {
    const path = await copyPrompt('coding', folder);
    assert.equal(await readFile(path, 'utf8'), await readFile(join(shipped, 'coding.md'), 'utf8'));
    await writeFile(path, 'mine');
    assert.equal(await copyPrompt('coding', folder), path);
    assert.equal(await readFile(path, 'utf8'), 'mine');
    for (const name of ['continue', 'agent-default', '../coding', 'nothing'])
      await assert.rejects(copyPrompt(name, folder), withCode('INVALID_INPUT'));
  });

  it('are listed with the prompts that they stand in for, and those that stand in for none', async () => {
    await copyPrompt('coding', folder);
    await writeFile(join(folder, 'codnig.md'), 'x');
    const entries = await promptEntries(prompts);
    const own = entries
      .filter(({ override }) => override)
      .map(({ name, override }) => [name, override?.problem]);
    assert.deepEqual(own, [
      ['coding', ''],
      ['codnig', 'no prompt has this name'],
    ]);
    assert.equal(
      entries.find(({ name }) => name === 'coding')?.about,
      'Implements one bead in a fresh session.',
    );
  });

  it('let nothing start while one of them can’t be used, and the check-up says why', async () => {
    assert.deepEqual(await found(), ['pass PROMPTS_BUILT_IN ']);
    const path = await copyPrompt('coding', folder);
    await checkPrompts(prompts);
    assert.deepEqual(await found(), ['pass PROMPTS_OVERRIDDEN coding']);
    await writeFile(path, 'no front matter');
    await assert.rejects(checkPrompts(prompts), withCode('PROMPT_REFUSED'));
    assert.deepEqual(await found(), [`fail PROMPT_REFUSED ${path} it has no front matter`]);
  });

  it('are in the configuration of the user', () => {
    assert.equal(ownPromptFolder({ XDG_CONFIG_HOME: '/config' }), join('/config', 'beadsmith', 'prompts'));
  });
});
