import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GitCli } from '../../../src/adapters/git/cli/gitCli.ts';
import { tempFolders, tempRepositories } from '../../support/git/tempRepository.ts';

/** Real git, started through a program that writes down its process number. */
describe('git: objects that are asked for one by one', () => {
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();

  async function place() {
    const [repository, folder] = [
      await makeRepository({ files: { 'a.txt': 'one\n', 'b.txt': '' } }),
      await makeFolder(),
    ];
    const git = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    const log = join(folder, 'log');
    mkdirSync(join(folder, 'bin'));
    writeFileSync(
      join(folder, 'bin', 'git'),
      `#!/bin/sh\ncase "$*" in *cat-file*) echo $$ >> ${log} ;; esac\nexec ${git} "$@"\n`,
    );
    chmodSync(join(folder, 'bin', 'git'), 0o755);
    writeFileSync(log, '');
    const environment = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` };
    const cli = new GitCli({
      environment,
      folder: repository.root,
      lockPatienceMs: 1_000,
      removeStaleLock: () => Promise.resolve(false),
    });
    const at = { cwd: repository.root };
    const sha = async (name: string): Promise<string | undefined> =>
      (await cli.object(at, name, 'info'))?.sha;
    const text = async (name: string): Promise<string | undefined> => {
      const found = await cli.object(at, name, 'contents');
      return found?.content === undefined ? undefined : Buffer.from(found.content).toString('utf8');
    };
    const started = (): readonly number[] =>
      readFileSync(log, 'utf8').split('\n').filter(Boolean).map(Number);
    return { repository, cli, at, sha, text, started };
  }

  it('come from one process, in any order and with any content', async () => {
    const { repository, sha, text, started } = await place();
    const large = 'line\n'.repeat(1_000_000);
    await repository.commit({ 'large.txt': large, 'odd name\u00e9 .txt': 'odd' });
    const [head, tree] = [
      await repository.git('rev-parse', 'HEAD'),
      await repository.git('rev-parse', 'HEAD^{tree}'),
    ];
    const answers = await Promise.all([
      sha('HEAD^{commit}'),
      text('HEAD:a.txt'),
      text('HEAD:large.txt'),
      text('HEAD:none'),
      text('HEAD:b.txt'),
      sha('HEAD^{tree}'),
      sha('refs/heads/none^{commit}'),
      text('HEAD:odd name\u00e9 .txt'),
      sha(`${'0'.repeat(40)}^{commit}`),
      sha('HEAD\nHEAD'),
    ]);
    const none = undefined;
    assert.deepEqual(answers, [head, 'one\n', large, none, '', tree, none, 'odd', none, none]);
    assert.equal(started().length, 1);
  });

  it('are as they are now, also after others changed them', async () => {
    const { repository, sha, text, started } = await place();
    const first = await sha('HEAD^{commit}');
    assert.equal(await sha('refs/heads/topic^{commit}'), undefined);
    await repository.git('switch', '--quiet', '--create', 'topic');
    const second = await repository.commit({ 'a.txt': 'two\n' });
    assert.deepEqual(
      await Promise.all([sha('HEAD^{commit}'), text('HEAD:a.txt'), sha('refs/heads/topic^{commit}')]),
      [second, 'two\n', second],
    );
    await repository.git('gc', '--quiet');
    await repository.git('reset', '--quiet', '--hard', first ?? '');
    const third = await repository.commit({ 'a.txt': 'three\n' });
    assert.deepEqual(await Promise.all([sha('HEAD^{commit}'), text(`${second}:a.txt`)]), [third, 'two\n']);
    await repository.git('pack-refs', '--all');
    await repository.git('update-ref', '-d', 'refs/heads/topic');
    assert.equal(await sha('refs/heads/topic^{commit}'), undefined);
    assert.equal(started().length, 1);
  });

  it('come from another process when the configuration changed, and when the first one was killed', async () => {
    const { repository, sha, started } = await place();
    const head = await sha('HEAD^{commit}');
    await repository.git('config', 'remote.origin.promisor', 'true');
    assert.equal(await sha('HEAD^{commit}'), head);
    assert.equal(started().length, 2);
    process.kill(started()[1] ?? 0, 'SIGKILL');
    assert.equal(await sha('HEAD^{commit}'), head);
  });

  it('are none where there is no repository', async () => {
    const { cli } = await place();
    assert.equal(await cli.object({ cwd: await makeFolder() }, 'HEAD^{commit}', 'info'), undefined);
  });

  it('are named in a failure without the sign-in of an address', async () => {
    const { cli, at } = await place();
    await assert.rejects(cli.text(at, 'show-ref', '--verify', 'https://geheim@github.com/x'), (error) => {
      assert.match(String(error), /\/\/github\.com/);
      assert.doesNotMatch(JSON.stringify(error) + String(error), /geheim/);
      return true;
    });
  });
});
