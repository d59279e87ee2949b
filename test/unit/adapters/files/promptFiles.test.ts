import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PromptFiles } from '../../../../src/adapters/files/promptFiles.ts';
import { sha256 } from '../../../../src/base/sha256.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';
import { withCode } from '../../../support/git/gitBench.ts';

describe('prompt files', () => {
  const makeFolder = tempFolders();

  it('are read by name, once', async () => {
    const folder = await makeFolder();
    const prompts = new PromptFiles(folder);
    await assert.rejects(prompts.read('prd-draft'), withCode('UNEXPECTED'));
    await writeFile(join(folder, 'prd-draft.md'), 'text');
    assert.deepEqual(await prompts.read('prd-draft'), { text: 'text' });
    await rm(join(folder, 'prd-draft.md'));
    assert.deepEqual(await prompts.read('prd-draft'), { text: 'text' });
  });

  it('have plain names', async () => {
    const folder = await makeFolder();
    await writeFile(join(folder, 'x.md'), 'text');
    for (const name of ['../x', 'X', 'x.md', '', './x', 'x/../x'])
      await assert.rejects(new PromptFiles(folder).read(name), withCode('UNEXPECTED'), name);
  });

  describe('of the person’s own', () => {
    const shipped = join(import.meta.dirname, '../../../../prompts');
    const draft = readFileSync(join(shipped, 'prd-draft.md'), 'utf8');
    let [own, repository] = ['', ''];
    let prompts: PromptFiles;
    beforeEach(async () => {
      [own, repository] = [await makeFolder(), await makeFolder()];
      prompts = new PromptFiles(shipped, { folder: own, apart: [repository] });
    });
    const put = (name: string, text: string): Promise<void> => writeFile(join(own, `${name}.md`), text);

    it('stand in for those that ship, each with its hash, and are read again at every call', async () => {
      assert.deepEqual(await prompts.read('prd-draft'), { text: draft });
      for (const change of ['Be brief.', 'Be thorough.']) {
        const text = draft.replace('Few epics', `${change} Few epics`);
        await put('prd-draft', text);
        assert.deepEqual(await prompts.read('prd-draft'), { text, override: sha256(text) });
      }
      await rm(join(own, 'prd-draft.md'));
      assert.deepEqual(await prompts.read('prd-draft'), { text: draft });
      assert.deepEqual(await prompts.overrides(), []);
    });

    it('are refused with the reason, and what ships isn’t used instead', async () => {
      await put('prd-draft', draft.replace('read_only', 'default'));
      await put('prd-drafts', draft);
      await put('continue', 'go on');
      await put('README', 'My prompts.');
      await mkdir(join(own, 'coding.md'));
      await assert.rejects(prompts.read('prd-draft'), withCode('PROMPT_REFUSED'));
      await assert.rejects(prompts.read('coding'), withCode('PROMPT_REFUSED'));
      assert.deepEqual(
        (await prompts.overrides()).map(({ name, problem }) => [name, problem]),
        [
          ['coding', "it can't be read (EISDIR)"],
          ['continue', 'this prompt is always sent as it ships'],
          ['prd-draft', 'its policy is default; it may not allow more than read_only'],
          ['prd-drafts', 'no prompt has this name'],
        ],
      );
    });

    it('are refused when they really are inside of a repository', async () => {
      await writeFile(join(repository, 'mine.md'), draft);
      await symlink(join(repository, 'mine.md'), join(own, 'prd-draft.md'));
      await assert.rejects(prompts.read('prd-draft'), withCode('PROMPT_REFUSED'));
      const inside = new PromptFiles(shipped, { folder: repository, apart: [repository] });
      await writeFile(join(repository, 'prd-vote.md'), readFileSync(join(shipped, 'prd-vote.md'), 'utf8'));
      await assert.rejects(inside.read('prd-vote'), withCode('PROMPT_REFUSED'));
    });
  });
});

describe('personas', () => {
  const makeFolder = tempFolders();
  const shipped = join(import.meta.dirname, '../../../../prompts');
  const own = (id: string, more = '') =>
    `---\nid: ${id}\nname: Eve\ntitle: Attacker\nfocus: misuse.\nstyle: dry.\n${more}---\nLook.\n`;

  it('ship: five that can be used', async () => {
    const entries = await new PromptFiles(shipped).personas();
    assert.deepEqual(
      entries.map(({ id, problem, isOwn }) => [id, problem, isOwn]),
      ['amelia', 'bob', 'mary', 'murat', 'winston'].map((id) => [id, '', false]),
    );
  });

  it('are added by a person, and one that can’t be used is listed with the reason', async () => {
    const [folder, repository] = [await makeFolder(), await makeFolder()];
    await mkdir(join(folder, 'personas'));
    await writeFile(join(folder, 'personas', 'eve.md'), own('eve'));
    await writeFile(join(folder, 'personas', 'winston.md'), own('winston'));
    await writeFile(join(folder, 'personas', 'mallory.md'), own('mallory', 'permission: { bash: allow }\n'));
    await writeFile(join(folder, 'personas', 'big.md'), 'x'.repeat(200_000));
    await writeFile(join(repository, 'trent.md'), own('trent'));
    await symlink(join(repository, 'trent.md'), join(folder, 'personas', 'trent.md'));
    const entries = await new PromptFiles(shipped, { folder, apart: [repository] }).personas();
    const mine = entries.filter(({ isOwn }) => isOwn).map(({ id, problem }) => [id, problem.slice(0, 40)]);
    assert.deepEqual(mine, [
      ['big', 'it is larger than 100000 bytes'],
      ['eve', ''],
      ['mallory', 'it wants the permission "bash: allow"; a'],
      ['trent', `it is inside of ${repository}`.slice(0, 40)],
      ['winston', 'a built-in persona has this id'],
    ]);
  });
});
