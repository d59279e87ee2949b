import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LocalForge } from '../../../../src/adapters/forge/local/localForge.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';
import { withCode } from '../../../support/git/gitBench.ts';

describe('pull requests as documents', () => {
  const makeFolder = tempFolders();
  const commit = 'a'.repeat(40);
  const pullRequest = {
    ticket: 'ABC-1',
    title: 'Add a thing',
    body: '## Summary\n\nIt adds.\n',
    branch: 'ticket/ABC-1',
    base: 'main',
    commit,
  };

  it('are written for people and found again', async () => {
    const folder = join(await makeFolder(), 'pull-requests');
    const forge = new LocalForge(folder);
    assert.equal(await forge.find('ABC-1'), undefined);
    const { location } = await forge.publish(pullRequest);
    assert.equal(location, join(folder, 'ABC-1.md'));
    assert.equal(
      await readFile(location, 'utf8'),
      `---\nticket: ABC-1\ntitle: Add a thing\nbranch: ticket/ABC-1\nbase: main\ncommit: ${commit}\n---\n\n# Add a thing\n\n## Summary\n\nIt adds.\n`,
    );
    assert.deepEqual(await forge.find('ABC-1'), { location, commit });
    await forge.publish({ ...pullRequest, commit: 'b'.repeat(40) });
    assert.deepEqual(await forge.find('ABC-1'), { location, commit: 'b'.repeat(40) });
    assert.deepEqual(await readdir(folder), ['ABC-1.md']);
  });

  it('survive any title', async () => {
    const forge = new LocalForge(await makeFolder());
    const titles = [
      '---\ncommit: evil\n---',
      '--upload-pack=x',
      'a: b # c',
      '\'"\\',
      '12',
      '\u0000\u001b[31m',
      `commit: ${'c'.repeat(40)}`,
      ' ',
      'x'.repeat(2_000),
    ];
    for (const title of titles) {
      await forge.publish({ ...pullRequest, title, body: `---\ncommit: ${'c'.repeat(40)}\n---\n` });
      assert.equal((await forge.find('ABC-1'))?.commit, commit, title);
    }
  });

  it('are not taken for one when they are something else', async () => {
    const folder = await makeFolder();
    const forge = new LocalForge(folder);
    for (const text of [
      '',
      'hello',
      '---\n{[\n---\n',
      '---\nticket: ABC-2\ncommit: x\n---\n',
      `---\nticket: ABC-2\ncommit: ${commit}\n---\n`,
    ]) {
      await writeFile(join(folder, 'ABC-1.md'), text);
      assert.equal(await forge.find('ABC-1'), undefined, text);
    }
    for (const ticket of ['../ABC-1', '', '--x'])
      await assert.rejects(forge.find(ticket), withCode('PULL_REQUEST_FAILED'), ticket);
  });

  it('say why they could not be written', async () => {
    const folder = await makeFolder();
    await writeFile(join(folder, 'file'), '');
    await assert.rejects(
      new LocalForge(join(folder, 'file', 'x')).publish(pullRequest),
      withCode('PULL_REQUEST_FAILED'),
    );
  });
});
