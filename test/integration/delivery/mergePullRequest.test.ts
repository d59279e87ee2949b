import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fromRecord } from '../../../src/domain/core/errors.ts';
import { lookLine } from '../../../src/domain/forge/forgeLook.ts';
import type { InboxBody } from '../../../src/domain/ticket/inbox.ts';
import { integrate } from '../../../src/phases/delivery/integrate.ts';
import { pullRequest } from '../../../src/phases/delivery/pullRequest.ts';
import { review } from '../../../src/phases/delivery/review.ts';
import type { ExecutionWorld } from '../../support/engine/executionWorld.ts';
import { type StandInPull, type StandInRepository, tipOf } from '../../support/forge/endpoints.ts';
import { mergePull } from '../../support/forge/mergeEndpoints.ts';
import { forgeTickets, plainPublishing, withLogin } from '../../support/forge/forgeTickets.ts';

const mergeRoute = 'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge';
const pullRoute = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
const passed = [{ name: 'test', status: 'completed', conclusion: 'success' }] as const;

describe('a pull request that is merged on the forge from here', function () {
  this.timeout(120_000);
  const tickets = forgeTickets();
  const { forge } = tickets;
  let repository: StandInRepository;
  let world: ExecutionWorld;
  let pull: StandInPull;

  beforeEach(async () => {
    ({ repository } = tickets);
    ({ world, pull } = await tickets.published());
  });

  async function merged(wish: Partial<InboxBody<'merge_pull_request'>> = {}): Promise<string> {
    return act('merge_pull_request', { kind: '', whenReady: false, ...wish });
  }

  async function act(
    kind: 'merge_pull_request' | 'unplan_merge' | 'close_pull_request' | 'check_pull_request',
    body: object = {},
  ): Promise<string> {
    const entry = await world.post(kind, body as never);
    await world.drive({ review });
    return `${(await world.outcome(entry)) ?? ''} ${await world.said(entry)}`;
  }

  async function shown(): Promise<string> {
    const { forge: state } = await world.read();
    const news = state?.news && fromRecord(state.news);
    return `${state ? lookLine(state) : ''}${news ? `. ${news.message} ${news.nextStep}` : ''}`;
  }

  it('completes the ticket with a receipt, and moves nothing here', async () => {
    const main = await world.git.resolve('refs/heads/main');
    const head = tipOf(repository, pull.head.branch);
    await merged({ kind: 'squash' });
    await world.isIn('WRITING_RETROSPECTIVE');
    const report = await world.json('merge_report');
    assert.equal(report?.['mergeCommit'], tipOf(repository, 'main'));
    assert.deepEqual(report?.['forge'], {
      repository: `${forge.host}/octo/sample`,
      number: 1,
      location: `http://${forge.host}/octo/sample/pull/1`,
      head,
    });
    assert.equal(await world.git.resolve('refs/heads/main'), main);
  });

  it('merges once, whatever is lost on the way, and sends nothing that stands already', async () => {
    for (const trouble of [{ done: true, status: 502 }]) forge.troubles(mergeRoute, trouble);
    assert.match(await merged(), /^FORGE_UNREACHABLE/);
    await world.isIn('WAITING_PR_REVIEW');
    await merged();
    await world.isIn('WRITING_RETROSPECTIVE');
    assert.equal(forge.count(mergeRoute), 1);
  });

  for (const [mutation, more] of [
    ['enqueuePullRequest', {}],
    ['enablePullRequestAutoMerge', { whenReady: true }],
  ] as const)
    it(`is planned once, though the process was killed right after ${mutation}`, async () => {
      if (mutation === 'enqueuePullRequest') repository.queues.add('main');
      else repository.protectedBranches.set('main', ['test']);
      repository.mayAutoMerge = true;
      await world.post('merge_pull_request', { kind: '', whenReady: false, ...more });
      forge.after.set(`graphql ${mutation}`, () => world.crash());
      await world.driveUntilKilled({ review });
      forge.after.clear();
      await world.drive({ review });
      assert.match(await shown(), /in the merge queue|merges when ready/);
      assert.equal(forge.count(`graphql ${mutation}`), 1);
    });

  it('stays open with what to do, for everything that the forge refuses', async () => {
    const tip = tipOf(repository, pull.head.branch) ?? '';
    const git = (...args: readonly string[]) => world.repository.git(...args);
    const push = (what: string) => git('push', '--quiet', '--force', withLogin(forge), what);
    const theirs = await git('commit-tree', '-m', 'theirs', '-p', tip, `${tip}^{tree}`);
    const cases: readonly (readonly [() => unknown, RegExp, () => unknown])[] = [
      [
        () => (repository.mayPush = false),
        /^FORGE_REFUSED .*not accessible.*Have someone with write access/,
        () => (repository.mayPush = true),
      ],
      [
        () => repository.protectedBranches.set('main', ['test']),
        /^FORGE_REFUSED .*"test" is expected.*"Merge When Ready" waits for it/,
        () => repository.protectedBranches.clear(),
      ],
      [
        () => (pull.draft = true),
        /^FORGE_REFUSED .*is a draft.*Mark it as ready for review/,
        () => (pull.draft = false),
      ],
      [
        () => push(`${theirs}:refs/heads/ticket/TST-1`),
        /^FORGE_BRANCH_MOVED .*Someone else pushed/,
        () => push(`${tip}:refs/heads/ticket/TST-1`),
      ],
      [
        () => (pull.mergeable = false),
        /^FORGE_CONFLICTS .*Pull "main", update the ticket from base/,
        () => (pull.mergeable = true),
      ],
      [
        () => (repository.merges = ['squash']),
        /^FORGE_REFUSED .*doesn't allow "merge".*Choose one of these: squash/,
        () => (repository.merges = ['merge', 'squash']),
      ],
      [
        () => forge.troubles(mergeRoute, { status: 409 }),
        /^FORGE_REFUSED .*\(409\)\..*Check the pull request, then merge again/,
        () => undefined,
      ],
    ];
    for (const [change, words, back] of cases) {
      await change();
      assert.match(await merged({ kind: 'merge' }), words);
      await world.isIn('WAITING_PR_REVIEW');
      await back();
    }
    assert.equal(pull.state, 'open');
    assert.equal(tipOf(repository, 'main'), await world.git.resolve('refs/heads/main'));
  });

  it('is not merged if someone pushes right before', async () => {
    const tip = tipOf(repository, pull.head.branch) ?? '';
    const inForge = (...args: readonly string[]) =>
      execFileSync('git', ['-C', repository.git, ...args], { encoding: 'utf8' }).trim();
    forge.after.set(pullRoute, () => {
      forge.after.clear();
      const own = ['-c', 'user.name=eve', '-c', 'user.email=eve@example.com'];
      const theirs = inForge(...own, 'commit-tree', '-m', 'theirs', '-p', tip, `${tip}^{tree}`);
      inForge('update-ref', `refs/heads/${pull.head.branch}`, theirs);
    });
    assert.match(
      await merged(),
      /^FORGE_REFUSED .*Head branch was modified.* \(409\)\. Its branch or its base changed meanwhile/,
    );
    assert.equal(pull.state, 'open');
  });

  it('is merged by the forge when it is ready, unless that is taken back', async () => {
    repository.protectedBranches.set('main', ['test']);
    assert.match(await merged({ whenReady: true }), /^FORGE_REFUSED .*Turn on "Allow auto-merge"/);
    repository.mayAutoMerge = true;
    await merged({ whenReady: true, kind: 'squash' });
    assert.equal(await shown(), '#1 open, merges when ready (squash)');
    await merged({ whenReady: true, kind: 'squash' });
    await act('unplan_merge');
    assert.equal(await shown(), '#1 open');
    await merged({ whenReady: true });
    assert.equal(forge.count('graphql enablePullRequestAutoMerge'), 2);
    repository.checks = passed;
    mergePull(repository, pull, pull.autoMerge ?? undefined);
    await act('check_pull_request');
    await world.isIn('WRITING_RETROSPECTIVE');
  });

  it('is merged at once when it is ready already', async () => {
    repository.mayAutoMerge = true;
    await merged({ whenReady: true });
    await world.isIn('WRITING_RETROSPECTIVE');
    assert.equal(forge.count(mergeRoute), 1);
  });

  it('waits in the queue of its base, and says once what to do when that takes it out', async () => {
    repository.queues.add('main');
    repository.protectedBranches.set('main', ['test']);
    assert.match(await merged(), /^FORGE_REFUSED .*"test" is expected/);
    repository.checks = passed;
    await merged();
    assert.equal(await shown(), '#1 open, 1 of 1 checks passed, in the merge queue');
    await merged();
    assert.equal(forge.count('graphql enqueuePullRequest'), 2);
    assert.equal(forge.count(mergeRoute), 0);
    pull.isQueued = false;
    const news = /\. The merge queue took out the pull request .*See there why/;
    for (let times = 0; times < 2; times += 1) {
      await act('check_pull_request');
      assert.match(await shown(), news);
    }
    await merged();
    assert.doesNotMatch(await shown(), news);
    await act('unplan_merge');
    assert.equal(await shown(), '#1 open, 1 of 1 checks passed');
    await merged();
    mergePull(repository, pull);
    await act('check_pull_request');
    await world.isIn('WRITING_RETROSPECTIVE');
  });

  it('gets what its base became by an update, without a forced push, and another base', async () => {
    const all = { review, integrate, pullRequest };
    const git = (...args: readonly string[]) => world.repository.git(...args);
    const updated = async (body: InboxBody<'update_base'>): Promise<void> => {
      await world.post('update_base', body);
      await world.drive(all);
      await world.isIn('WAITING_PR_REVIEW');
    };
    const publish = async (): Promise<string> => {
      const entry = await world.post('create_pull_request', plainPublishing);
      await world.drive(all);
      return `${(await world.outcome(entry)) ?? ''} ${await world.said(entry)}`;
    };
    const before = tipOf(repository, pull.head.branch) ?? '';
    await world.set('greet', { testCommands: ['test -f greet.txt'] });
    await world.repository.commit({ 'theirs.txt': 'theirs\n' }, 'theirs');
    await git('push', '--quiet', withLogin(forge), 'main', 'main:refs/heads/next');
    await updated({ keep: false });
    await act('check_pull_request');
    assert.match(await shown(), /doesn't have the latest commits .*Update the pull request\./);
    await publish();
    const after = tipOf(repository, pull.head.branch) ?? '';
    assert.notEqual(after, before);
    assert.equal(await world.git.isAncestor(before, after), true);
    assert.equal(await world.git.isAncestor('main', after), true);

    await git('branch', 'next', 'main');
    await updated({ baseBranch: 'next', keep: false });
    await act('check_pull_request');
    assert.match(await shown(), /the base branch of the ticket.*Update the pull request\./);
    await publish();
    assert.equal(pull.base, 'next');
    assert.equal(await shown(), '#1 open');
    pull.base = 'main';
    assert.match(
      await publish(),
      /^FORGE_BASE_CHANGED .*now goes to "main", not to "next".*update the ticket/,
    );
    assert.equal(pull.base, 'main');
    assert.equal(repository.pulls.length, 1);
  });

  it('is closed there without a merge, once, also after a kill and its reopening, and the ticket says what to do then', async () => {
    const route = 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}';
    const before = forge.count(route);
    await world.post('close_pull_request', {});
    forge.after.set(route, () => world.crash());
    await world.driveUntilKilled({ review });
    forge.after.clear();
    assert.equal(pull.state, 'closed');
    // A person wants it open, before the request continues.
    Object.assign(pull, { state: 'open', reopened: 1 });
    await world.drive({ review });
    assert.equal(await shown(), '#1 open');
    await act('close_pull_request');
    assert.deepEqual([pull.state, pull.mergedAt ?? null, forge.count(route) - before], ['closed', null, 2]);
    await world.isIn('WAITING_PR_REVIEW');
    assert.match(await shown(), /#1 closed.*closed without merging.*Reopen it there, or close the ticket/);
  });

  it('is no longer merged by the forge once a person sends it back', async () => {
    repository.protectedBranches.set('main', ['test']);
    repository.mayAutoMerge = true;
    await merged({ whenReady: true });
    assert.equal(pull.autoMerge, 'merge');
    await world.post('changes', { items: [{ text: 'Louder.' }] });
    await world.drive({ review }, 'CODING');
    assert.equal(pull.autoMerge, null);
  });

  it('is left alone if another one has its number, or goes elsewhere by now', async () => {
    repository.queues.add('main');
    await merged();
    repository.id += 1;
    for (const kind of ['close_pull_request', 'unplan_merge'] as const)
      assert.match(await act(kind), /^FORGE_REPLACED/);
    assert.deepEqual([pull.state, pull.isQueued], ['open', true]);
  });
});
