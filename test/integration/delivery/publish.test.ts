import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Shell } from '../../../src/adapters/process/shell.ts';
import { systemClock } from '../../../src/adapters/clock/systemClock.ts';
import { findGit } from '../../../src/adapters/system/programs.ts';
import { ForgePullRequestReport } from '../../../src/domain/beads/reports.ts';
import type { InboxBody } from '../../../src/domain/ticket/inbox.ts';
import { integrate } from '../../../src/phases/delivery/integrate.ts';
import { review } from '../../../src/phases/delivery/review.ts';
import { pullRequest } from '../../../src/phases/delivery/pullRequest.ts';
import type { ExecutionWorld } from '../../support/engine/executionWorld.ts';
import { until } from '../../support/until.ts';
import { noForge } from '../../support/fakes/noForge.ts';
import { talkOf } from '../../support/forge/commentEndpoints.ts';
import { tipOf, type StandInRepository } from '../../support/forge/endpoints.ts';
import { forgeTickets, plainPublishing, withLogin } from '../../support/forge/forgeTickets.ts';

const user = 'GET /user';
const label = 'GET /repos/{owner}/{repo}/labels/{name}';
const create = 'POST /repos/{owner}/{repo}/pulls';
const realGit = findGit(process.env) ?? 'git';
const base = 'GET /repos/{owner}/{repo}/branches/{branch}';
const list = 'GET /repos/{owner}/{repo}/pulls';

describe('a published pull request', function () {
  this.timeout(120_000);
  const tickets = forgeTickets();
  const { forge } = tickets;
  let repository: StandInRepository;
  beforeEach(() => {
    ({ repository } = tickets);
  });

  function location(): string {
    return `http://${forge.host}/octo/sample/pull/1`;
  }

  type Wish = InboxBody<'create_pull_request'>;
  let latest = '';

  /** Posts the action, and answers its outcome. */
  async function asked(world: ExecutionWorld, wish: Partial<Wish> = {}): Promise<string | undefined> {
    latest = await world.post('create_pull_request', { ...plainPublishing, ...wish });
    await world.drive({ review }, 'WAITING_PR_REVIEW');
    return world.outcome(latest);
  }

  /** Another commit than the one that was pushed, and none that follows it. */
  async function changed(world: ExecutionWorld): Promise<void> {
    await world.repository.commit({ 'theirs.txt': 'theirs\n' }, 'Somebody else');
    await world.repository.git('push', '--quiet', withLogin(forge), 'main');
    await world.set('greet', { testCommands: ['test -f greet.txt'] });
    await world.post('update_base', { keep: false });
    await world.drive({ integrate, pullRequest }, 'WAITING_PR_REVIEW');
  }

  const theirBranch = () => tipOf(repository, 'ticket/TST-1');

  it('has the branch, the text and the marker, as a draft', async () => {
    const world = await tickets.reviewed();
    assert.equal(await asked(world, { draft: true }), 'consumed');
    assert.equal((await world.json('pull_request_report'))?.['location'], location());
    assert.equal(tipOf(repository, 'ticket/TST-1'), await world.git.head(world.worktree));
    const tracked = await world.repository.git('rev-parse', 'refs/remotes/origin/ticket/TST-1');
    assert.equal(tracked.trim(), tipOf(repository, 'ticket/TST-1'));
    const [pull] = repository.pulls;
    assert.deepEqual([pull?.title, pull?.draft, pull?.base], ['TST-1: Greet people', true, 'main']);
    assert.match(pull?.body ?? '', /^<!-- beadsmith TST-1 -->\n## Summary[^]+\n<!-- \/beadsmith TST-1 -->$/);
    assert.equal((await world.json('forge_pull_request'))?.['number'], 1);
  });

  it('closes the issue that the ticket was imported from, if that is on the same host', async () => {
    const issue = { owner: 'octo', name: 'sample', number: 12, url: '' };
    const world = await tickets.reviewed({ origin: { kind: 'issue', host: forge.host, ...issue } });
    const text = async (): Promise<string> => String((await world.json('pull_request_report'))?.['body']);
    assert.match(await text(), /\n\nCloses octo\/sample#12\n/);
    world.forges = noForge;
    await changed(world);
    assert.doesNotMatch(await text(), /Closes/);
  });

  it('is updated by the next one, and what people wrote there stays', async () => {
    const world = await tickets.reviewed();
    await asked(world);
    const [pull] = repository.pulls;
    assert.ok(pull);
    pull.body = `Thanks!\n${pull.body ?? ''}\nPlease merge on Monday.`.replace('## Summary', '## Old');
    assert.equal(await asked(world), 'consumed');
    assert.equal(repository.pulls.length, 1);
    assert.match(pull.body, /^Thanks!\n<!--[^]+## Summary[^]+-->\nPlease merge on Monday\.$/);
  });

  it('has the labels and reviewers that a person asked for, and says which the forge does not have', async () => {
    repository.labels.push('bug', 'needs review');
    repository.collaborators.push('grace', 'platform');
    const world = await tickets.reviewed();
    const wish = { labels: 'needs review, bug,nope', reviewers: '@grace, octo/platform' };
    assert.equal(await asked(world, wish), 'consumed', await world.said(latest));
    const [pull] = repository.pulls;
    assert.deepEqual(pull?.labels, ['needs review', 'bug']);
    assert.deepEqual(pull.reviewers, ['grace', 'platform']);
    const report = ForgePullRequestReport.parse(await world.json('forge_pull_request'));
    assert.deepEqual(report.labels, ['needs review', 'bug', 'nope']);
    assert.deepEqual(report.unset, [{ name: 'nope', reason: 'there is no such label.' }]);
    forge.troubles(label, { status: 403 });
    assert.equal(await asked(world, { labels: 'bug' }), 'consumed');
    const last = ForgePullRequestReport.parse(await world.json('forge_pull_request'));
    assert.deepEqual([last.number, last.unset[0]?.name], [1, 'bug']);
  });

  it('overwrites no commits of others, and asks nothing of a forge that is away or does not know the person', async () => {
    const world = await tickets.reviewed();
    const theirs = await world.repository.git('commit-tree', '-m', 'theirs', '-p', 'main', 'main^{tree}');
    await world.repository.git('push', '--quiet', withLogin(forge), `${theirs}:refs/heads/ticket/TST-1`);
    assert.equal(await asked(world), 'PUSH_REFUSED');
    assert.equal(tipOf(repository, 'ticket/TST-1'), theirs);
    await world.repository.git('push', '--quiet', withLogin(forge), ':refs/heads/ticket/TST-1');
    forge.troubles('git', { status: 503 });
    assert.equal(await asked(world), 'FORGE_UNREACHABLE');
    forge.troubles(list, { status: 401 });
    assert.equal(await asked(world), 'FORGE_SIGN_IN');
    assert.equal(repository.pulls.length, 0);
    await world.isIn('WAITING_PR_REVIEW');
    assert.equal(await asked(world), 'consumed');
  });

  it('is updated by the commit after changes, also when the push was all that worked before', async () => {
    const world = await tickets.reviewed({ settings: { integration: 'squash' } });
    forge.troubles(create, { status: 422 });
    assert.equal(await asked(world), 'FORGE_REFUSED');
    const first = theirBranch();
    assert.ok(first);
    await changed(world);
    assert.equal(await asked(world), 'consumed', await world.said(latest));
    assert.equal(theirBranch(), await world.git.head(world.worktree));
    assert.equal(await world.git.isAncestor(first, theirBranch() ?? ''), false);
    assert.equal(repository.pulls.length, 1);
    assert.equal((await world.json('pull_request_report'))?.['location'], location());
  });

  it('counts what was pushed as its own, though the process was killed right then and the ticket went back', async () => {
    const world = await tickets.reviewed({ settings: { integration: 'squash' } });
    await world.post('create_pull_request', plainPublishing);
    const push = world.git.push.bind(world.git);
    world.git.push = async (request) => {
      await push(request);
      world.crash();
    };
    await world.driveUntilKilled({ review });
    world.git.push = push;
    await changed(world);
    assert.equal(await asked(world), 'consumed', await world.said(latest));
    assert.equal(theirBranch(), await world.git.head(world.worktree));
    assert.equal(repository.pulls.length, 1);
  });

  it('is neither pushed to nor created again once it is merged or closed there', async () => {
    const world = await tickets.reviewed();
    await asked(world);
    const [pull] = repository.pulls;
    assert.ok(pull);
    const first = theirBranch();
    pull.state = 'closed';
    await changed(world);
    assert.equal(await asked(world), 'FORGE_REFUSED');
    assert.match(await world.said(latest), /is closed: http\S+\/pull\/1.*Reopen it there/);
    assert.equal(theirBranch(), first);
    pull.mergedAt = '2026-01-01T00:00:00Z';
    pull.body = 'Somebody wrote it anew.';
    await world.repository.git('push', '--quiet', withLogin(forge), ':refs/heads/ticket/TST-1');
    assert.equal(await asked(world), 'FORGE_REFUSED');
    assert.match(await world.said(latest), /is merged, without the latest changes of this ticket: http/);
    assert.match(await world.said(latest), /Pull main, then close this ticket without merging\. For the/);
    assert.deepEqual([theirBranch(), repository.pulls.length], [undefined, 1]);
  });

  it('sends nothing before it knows that it may: sign-in, place, base, other pull requests, answers', async () => {
    const world = await tickets.reviewed();
    const refused = async (code: string, words: RegExp, wish: Partial<Wish> = {}): Promise<void> => {
      assert.equal(await asked(world, wish), code);
      assert.match(await world.said(latest), words);
      assert.equal(theirBranch(), undefined, code);
    };
    forge.expired.add(forge.token);
    await refused('FORGE_SIGN_IN', /token/);
    forge.expired.clear();
    await refused('FORGE_UNKNOWN', /lead to \S+octo\/sample, not to octo\/other/, {
      repository: 'octo/other',
    });
    await refused('FORGE_UNKNOWN', /not to octo\/other/, { pushTo: 'octo/other' });
    await refused('FORGE_UNKNOWN', /remote "gone" isn't on GitHub/, { remote: 'gone' });
    repository.isArchived = true;
    await refused('FORGE_REFUSED', /is archived/);
    repository.isArchived = false;
    forge.troubles(base, { status: 404 });
    await refused('FORGE_REFUSED', /octo\/sample has no branch "main"\. Push that branch first/);
    forge.troubles(list, { status: 200 });
    await refused('FORGE_UNREACHABLE', /answer isn't GitHub's/);
    const other = { number: 1, title: 'Mine', body: null, state: 'open' as const, draft: false };
    const head = { repository: 'octo/sample', branch: 'ticket/TST-1' };
    repository.pulls.push({ ...other, mergedAt: null, head, base: 'main' });
    await refused('FORGE_REFUSED', /has another pull request: http/);
    // Of another clone, with a ticket of the same name.
    const body = '<!-- beadsmith TST-1 -->';
    const theirs = { ...other, body, state: 'closed' as const, sha: 'e'.repeat(40) };
    repository.pulls.splice(0, 1, { ...theirs, mergedAt: '2026-01-01T00:00:00Z', head, base: 'main' });
    const full = `${forge.host}/octo/sample`;
    assert.equal(await asked(world, { repository: full, pushTo: full.toUpperCase() }), 'consumed');
    assert.equal((await world.json('forge_pull_request'))?.['number'], 2);
  });

  it('goes to the same repository under another name of its remote, and asks where it pushes', async () => {
    const world = await tickets.reviewed();
    await asked(world);
    const elsewhere = forge.addRepository('octo/read');
    const git = (...args: readonly string[]) => world.repository.git(...args);
    const theirs = await git('commit-tree', '-m', 'theirs', '-p', 'main', 'main^{tree}');
    const readAt = forge.addressOf('octo/read').replace('//', `//x:${forge.token}@`);
    await git('push', '--quiet', readAt, `${theirs}:refs/heads/ticket/TST-1`);
    await git('remote', 'rename', 'origin', 'github');
    await git('remote', 'add', 'upstream', forge.addressOf('octo/read'));
    await git('remote', 'set-url', 'github', forge.addressOf('octo/read'));
    await git('remote', 'set-url', '--push', 'github', forge.addressOf('octo/sample'));
    await changed(world);
    assert.equal(await asked(world), 'consumed', await world.said(latest));
    assert.equal(theirBranch(), await world.git.head(world.worktree));
    assert.equal(tipOf(elsewhere, 'ticket/TST-1'), theirs);
    await git('remote', 'set-url', '--add', '--push', 'github', forge.addressOf('octo/read'));
    await git('remote', 'remove', 'upstream');
    assert.equal(await asked(world), 'FORGE_UNKNOWN');
    assert.match(await world.said(latest), /"github" pushes to several addresses/);
  });

  it('pushes its branch alone, whatever the repository’s settings say', async () => {
    const world = await tickets.reviewed();
    const git = (...args: readonly string[]) => world.repository.git(...args);
    await git('tag', '-a', '-m', 'x', 'v1', 'main');
    for (const [name, value] of [
      ['push.gpgSign', 'true'],
      ['push.followTags', 'true'],
      ['push.recurseSubmodules', 'on-demand'],
    ] as const)
      await git('config', name, value);
    for (const [name, value] of [
      ['http.proxy', 'http://ada:geheim@127.0.0.1:1'],
      ['http.sslVerify', 'false'],
      ['http.https://github.com/.extraHeader', 'AUTHORIZATION: geheim'],
      ['remote.origin.proxy', 'http://127.0.0.1:1'],
    ] as const) {
      await git('config', name, value);
      assert.equal(await asked(world), 'GIT_SETTING_REFUSED', name);
      assert.doesNotMatch(await world.said(latest), /geheim/);
      await git('config', '--unset', name);
    }
    assert.equal(theirBranch(), undefined);
    assert.equal(await asked(world), 'consumed', await world.said(latest));
    const refs = await git('ls-remote', withLogin(forge));
    assert.deepEqual(
      [...refs.matchAll(/\trefs\/(\S+)$/gm)].map(([, name]) => name),
      ['heads/main', 'heads/ticket/TST-1', 'pull/1/head'],
    );
  });

  /** Does something between the look and the push. */
  function beforePush(world: ExecutionWorld, act: () => Promise<unknown>): void {
    const { forges } = world;
    let looks = 0;
    world.forges = {
      ...noForge,
      at: async (wish) => {
        const found = await forges.at(wish);
        looks += 1;
        if (looks !== 2) return found;
        world.forges = forges;
        await act();
        return found;
      },
    };
  }

  it('goes nowhere if the remote leads elsewhere, or the base there lost its commits, since the look', async () => {
    const world = await tickets.reviewed();
    const elsewhere = forge.addRepository('octo/elsewhere');
    const git = (...args: readonly string[]) => world.repository.git(...args);
    beforePush(world, () => git('remote', 'set-url', 'origin', forge.addressOf('octo/elsewhere')));
    assert.equal(await asked(world), 'PUSH_REFUSED');
    assert.match(await world.said(latest), /no longer leads to \S+octo\/sample/);
    assert.deepEqual([tipOf(elsewhere, 'ticket/TST-1'), theirBranch()], [undefined, undefined]);
    await git('remote', 'set-url', 'origin', forge.addressOf('octo/sample'));
    const other = (await git('commit-tree', '-m', 'rewritten', 'main^{tree}')).trim();
    beforePush(world, () => git('push', '--quiet', '--force', withLogin(forge), `${other}:refs/heads/main`));
    assert.equal(await asked(world), 'PUSH_REFUSED');
    assert.match(await world.said(latest), /commits of "main" that \S+octo\/sample doesn't have/);
    assert.equal(theirBranch(), undefined);
  });

  for (const where of ['the sign-in', 'the push'] as const)
    it(`doesn't keep a cancel waiting, whatever hangs in ${where}`, async () => {
      const world = await tickets.reviewed();
      const reached = Promise.withResolvers<null>();
      if (where === 'the sign-in')
        world.forges = {
          ...noForge,
          at: () => {
            reached.resolve(null);
            return new Promise<never>(() => undefined);
          },
        };
      else {
        const config = join(world.repository.root, '..', 'home', '.gitconfig');
        const mark = join(world.repository.root, '..', 'asked');
        const helper = `!f() { touch ${mark}; exec sleep 60; }; f`;
        const usual = readFileSync(config, 'utf8');
        const push = world.git.push.bind(world.git);
        world.git.push = async (request) => {
          writeFileSync(config, `[credential]\n\thelper = ${JSON.stringify(helper)}\n`);
          const pushing = push(request);
          await until(() => existsSync(mark), 'the helper is asked', 20_000);
          reached.resolve(null);
          return pushing.finally(() => writeFileSync(config, usual));
        };
      }
      await world.post('create_pull_request', plainPublishing);
      const driving = world.drive({ review });
      await reached.promise;
      await world.post('cancel', { reason: '', deleteWorktree: false });
      const from = performance.now();
      await driving;
      assert.ok(performance.now() - from < 2_000);
      assert.notEqual((await world.read()).status, 'WAITING_PR_REVIEW');
      assert.deepEqual([theirBranch(), repository.pulls.length], [undefined, 0]);
    });

  it('knows before the end what it needs: who is signed in by what, their rights, and the rules there', async () => {
    const world = await tickets.reviewed();
    forge.protect(repository, 'main', ['build', 'test']);
    const at = await world.forges.at();
    assert.deepEqual(await at.account(), { login: 'ada', source: 'GH_ENTERPRISE_TOKEN' });
    assert.deepEqual(await at.capabilities({ base: 'main', isQuiet: true }), {
      repositoryId: repository.id,
      isArchived: false,
      baseTip: tipOf(repository, 'main'),
      isBaseProtected: true,
      requiredChecks: ['build', 'test'],
      merges: ['merge', 'squash'],
      mayPush: true,
    });
    forge.troubles(user, { status: 403 });
    assert.deepEqual(await at.account(), { login: undefined, source: 'GH_ENTERPRISE_TOKEN' });
    forge.expired.add(forge.token);
    await assert.rejects(at.account(), ({ code, message }: { code: string; message: string }) => {
      assert.match(message, /the token of GH_ENTERPRISE_TOKEN is not valid, or has expired/);
      return code === 'FORGE_SIGN_IN';
    });
  });

  /** Everything else that a person's token is for: checks with their log, comments, an issue, a proof. */
  async function readAll(world: ExecutionWorld): Promise<unknown> {
    const [pull] = repository.pulls;
    assert.ok(pull);
    const log = `2026-01-01T00:00:06.0Z token ${forge.token}\n2026-01-01T00:00:07.0Z ##[error]Exit code 1.\n`;
    const step = { name: 'Run npm test', conclusion: 'failure', started_at: '2026-01-01T00:00:05Z' };
    repository.checks = [{ name: 'test', status: 'completed', conclusion: 'failure', steps: [step], log }];
    talkOf(pull).remarks.push({ id: 7, author: 'eve', association: 'MEMBER', body: 'Nice.' });
    repository.issues.push({ number: 12, title: 'Greet', body: 'Say hello.' });
    await world.post('check_pull_request', {});
    await world.drive({ review });
    const { forge: seen } = await world.read();
    const threads = await world.json('forge_threads');
    assert.equal(seen?.failures.length, 1);
    assert.match(JSON.stringify(threads), /Nice\./);
    const issue = await world.forges.issue({ number: 12 });
    const at = await world.forges.at();
    await world.git.fetchPull(at.place.base, 1);
    const can = [await at.account(), await at.capabilities({ base: 'main' }), await at.evidence(1)];
    return [seen, issue, ...can, threads];
  }

  for (const store of ['a variable', 'gh'] as const)
    it(`leaves a token of ${store} in no file, database, log or child`, async () => {
      let seen = '';
      let secret = '';
      const world = await tickets.reviewed({
        variables: ({ repository: { root } }) => {
          const spy = join(root, '..', 'spy');
          [seen, secret] = [join(root, '..', 'children'), join(root, '..', 'home', 'token')];
          mkdirSync(spy);
          const noted = `{ echo "$0 $*"; env; } >> '${seen}'`;
          for (const [name, script] of [
            ['git', `exec '${realGit}' "$@"`],
            ['gh', `cat '${secret}'`],
          ] as const)
            writeFileSync(join(spy, name), `#!/bin/sh\n${noted}\n${script}\n`, { mode: 0o755 });
          const variables = { GH_TOKEN: forge.token, GITHUB_TOKEN: forge.token };
          const given = store === 'gh' ? { GH_ENTERPRISE_TOKEN: '' } : variables;
          return { PATH: `${spy}:${process.env['PATH'] ?? ''}`, ...given };
        },
      });
      writeFileSync(secret, forge.token);
      const home = join(world.repository.root, '..', 'home');
      // The helper's own command line would have it.
      const helper = `!f() { echo username=x; echo password=$(cat ${secret}); }; f`;
      writeFileSync(join(home, '.gitconfig'), `[credential]\n\thelper = ${JSON.stringify(helper)}\n`);
      repository.labels.push('bug');
      forge.expired.add(forge.token);
      assert.equal(await asked(world), 'FORGE_SIGN_IN');
      const failed = await world.said(latest);
      forge.expired.clear();
      assert.equal(await asked(world, { labels: 'bug' }), 'consumed', await world.said(latest));
      const read = await readAll(world);
      const names = ['GH_TOKEN', 'GITHUB_TOKEN', 'GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'];
      const given = Object.fromEntries(names.map((name) => [name, forge.token]));
      const environment = { PATH: process.env['PATH'], ...given };
      const shell = new Shell({ clock: systemClock, environment });
      const ran = await shell.run('env', { cwd: world.worktree, timeoutMs: 20_000 });
      const children = readFileSync(seen, 'utf8');
      for (const child of ['push', 'ls-remote', 'fetch'].map((name) => new RegExp(`/git (?:\\S+ )*${name} `)))
        assert.match(children, child);
      assert.equal(/\/gh auth token /.test(children), store === 'gh');
      assert.match(ran.head, /PATH=/);
      const texts = {
        children,
        ran,
        failed,
        read,
        events: world.events,
        inbox: await world.store.inbox('TST-1'),
      };
      for (const [name, text] of Object.entries(texts))
        assert.ok(!JSON.stringify(text).includes(forge.token), name);
      for (const folder of [join(world.repository.root, '..'), world.worktree, world.stateFolder])
        assert.deepEqual(
          filesNaming(folder, forge.token).filter((name) => name !== 'home/token'),
          [],
          folder,
        );
      assert.ok(!(repository.pulls[0]?.body ?? '').includes(forge.token));
    });

  it('is there once, though the answer to its creation was lost', async () => {
    const world = await tickets.reviewed();
    forge.troubles(create, { status: 502, done: true });
    assert.equal(await asked(world), 'consumed');
    assert.equal((await world.json('forge_pull_request'))?.['location'], location());
    assert.deepEqual([repository.pulls.length, forge.count(create)], [1, 1]);
  });
});

function filesNaming(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name);
    return statSync(path).isFile() && readFileSync(path).includes(text);
  });
}
