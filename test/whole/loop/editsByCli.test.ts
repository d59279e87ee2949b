import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ending } from '../../support/cliTicket.ts';
import { loopsByCli, loopTicket, report, write } from '../../support/loopTicket.ts';
import { until } from '../../support/until.ts';

const works = { when: { iteration: 2 }, calls: [write('greet.txt', 'hello\n')], text: report() };
// What changes while the agent's command runs is the agent's, so the person writes while the model thinks.
const wrong = { calls: [write('wrong.txt', 'wrong\n')], text: report(), delayMs: 4_000 };

describe("a person's edits in a loop on the command line", function () {
  this.timeout(600_000);
  const makeLoop = loopsByCli();

  it('AT-35: never enter a commit, as little as a secret file, and no iteration that is taken back touches them', async () => {
    const loop = await makeLoop({ files: { 'README.md': '# Sample\n' }, tasks: { coding: [works, wrong] } });
    const { repository } = loop.ticket;
    const mine = { 'README.md': '# Being written\n', '.env': 'TOKEN=mine\n' };
    for (const [name, content] of Object.entries(mine)) await writeFile(join(repository.root, name), content);
    const driver = loop.begin('--max', '1', '--iterations', '2', '--continuations', '0');
    await until(
      () => loop.firsts.length === 1 || driver.child.exitCode !== null,
      'the model thinks',
      120_000,
    );
    await writeFile(loop.inWorktree('README.md'), '# Mine\n');
    await writeFile(loop.inWorktree('.env'), 'TOKEN=mine\n');
    assert.equal(loop.ticket.of('coding').length, 1, 'it still thinks');

    ending(3, await driver.ended);
    const [edits = ''] = /refs\/beadsmith\/SAMPL-1\/edits\/\w+/.exec(driver.stdout) ?? [];
    ending(0, await loop.ticket.cli('reply', loopTicket, 'Leave out', '--no-wait'));
    ending(0, await loop.goOn());
    assert.equal(
      await repository.git('log', '--format=', '--name-only', `main..ticket/${loopTicket}`),
      'greet.txt',
    );
    assert.ok(!existsSync(loop.inWorktree('wrong.txt')), 'the iteration is taken back');
    assert.equal(await repository.git('show', `${edits}:README.md`), '# Mine');
    // A file with secrets isn't offered as a commit; it stays under the iteration's ref.
    assert.equal(await repository.git('show', `refs/beadsmith/${loopTicket}/loop/1:.env`), 'TOKEN=mine');
    assert.equal(await repository.git('show', `refs/beadsmith/${loopTicket}/loop/1:wrong.txt`), 'wrong');
    for (const [name, content] of Object.entries(mine))
      assert.equal(await readFile(join(repository.root, name), 'utf8'), content, name);
  });
});
