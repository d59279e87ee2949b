import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answeredCheck, pullCheck, pushCheck, tokenCheck } from '../../demo/checkForge.ts';
import { talkOf } from '../../support/forge/commentEndpoints.ts';
import type { StandInPull, StandInRepository } from '../../support/forge/endpoints.ts';
import { tempFolder } from '../../support/tempFolder.ts';

function pullOf(body: string): StandInPull {
  const head = { repository: 'octo/stockroom', branch: 'ticket/STOCK-1' };
  return { number: 1, title: 'x', body, state: 'open', draft: false, mergedAt: null, head, base: 'main' };
}

function repositoryOf(of: Partial<StandInRepository>): StandInRepository {
  return of as StandInRepository;
}

describe('the checks of the demo of a forge', () => {
  const place = tempFolder('check-forge');
  after(() => place.remove());

  it('want one pull request, with its mark and its issue', () => {
    const good = pullOf('<!-- beadsmith STOCK-1 -->\nCloses octo/stockroom#12\n');
    const ok = (...pulls: StandInPull[]): boolean => pullCheck({ repository: repositoryOf({ pulls }) }).ok;
    assert.equal(ok(good), true);
    for (const pulls of [
      [],
      [good, good],
      [good, pullOf('Another one')],
      [pullOf('Closes octo/stockroom#12')],
      [pullOf('<!-- beadsmith STOCK-1 -->\nCloses octo/stockroom#123')],
    ])
      assert.equal(ok(...pulls), false);
  });

  it('want one reply to a question, and its thread open', () => {
    const ok = (replies: number, isResolved = false): boolean => {
      const pull = pullOf('');
      const place = { path: 'a', hunk: '', commit: 'c'.repeat(40), association: 'MEMBER', author: 'ada' };
      for (let id = 2; id < 2 + replies; id += 1)
        talkOf(pull).lines.push({ ...place, id, body: 'Because.', replyTo: 1 });
      if (isResolved) talkOf(pull).resolved.add(1);
      return answeredCheck({ pull, question: 1 }).ok;
    };
    assert.deepEqual([ok(1), ok(0), ok(2), ok(1, true)], [true, false, false, false]);
  });

  it('find a push of the base branch, and one that was forced', () => {
    const [root, bare] = [join(place.path, 'root'), join(place.path, 'bare.git')];
    const git = (folder: string, ...args: readonly string[]): string =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], {
        encoding: 'utf8',
      }).trim();
    mkdirSync(root);
    git(root, 'init', '--quiet', '--initial-branch=main');
    git(root, 'commit', '--quiet', '--allow-empty', '-m', 'Base');
    git(place.path, 'clone', '--quiet', '--bare', root, bare);
    git(bare, 'config', 'core.logAllRefUpdates', 'always');
    const first = git(root, 'rev-parse', 'main');
    const tree = git(root, 'rev-parse', 'main^{tree}');
    const on = (parent: string, subject: string): string =>
      git(bare, 'commit-tree', tree, '-p', parent, '-m', subject);
    const update = (branch: string, to: string): string =>
      git(bare, 'update-ref', `refs/heads/${branch}`, to);
    git(bare, 'update-ref', '-d', 'refs/heads/main');
    update('main', first);
    const one = on(first, 'One');
    const two = on(one, 'Two');
    update('ticket/STOCK-1', one);
    update('ticket/STOCK-1', two);
    const merge = on(two, 'Merge');
    update('main', merge);
    const ok = (): boolean => pushCheck({ repository: repositoryOf({ git: bare }), merge, root }).ok;
    assert.equal(ok(), true);
    update('ticket/STOCK-1', on(first, 'Forced'));
    assert.equal(ok(), false);
    git(bare, 'update-ref', '-d', 'refs/heads/ticket/STOCK-1');
    update('ticket/STOCK-1', one);
    update('ticket/STOCK-1', two);
    assert.equal(ok(), true);
    update('main', two);
    update('main', merge);
    assert.equal(ok(), false);
  });

  it('find a token in a file and in an output, also as git sends it', () => {
    const forge = { user: 'ada', token: 'ghp_standin' };
    const folder = join(place.path, 'token');
    for (const home of ['home', 'home-of-eve']) {
      mkdirSync(join(folder, home), { recursive: true });
      writeFileSync(join(folder, home, '.git-credentials'), `http://ada:${forge.token}@localhost`);
    }
    const ok = (printed: readonly string[] = ['Done']): boolean => tokenCheck({ folder, forge, printed }).ok;
    assert.equal(ok(), true);
    assert.equal(ok([`token ${forge.token}`]), false);
    const sent = Buffer.from(`ada:${forge.token}`).toString('base64');
    assert.equal(ok([`Authorization: Basic ${sent}`]), false);
    writeFileSync(join(folder, 'state.db'), Buffer.concat([Buffer.from([0, 255]), Buffer.from(forge.token)]));
    assert.equal(ok(), false);
  });
});
