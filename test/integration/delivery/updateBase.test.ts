import assert from 'node:assert/strict';
import { integrate } from '../../../src/phases/delivery/integrate.ts';
import { pullRequest } from '../../../src/phases/delivery/pullRequest.ts';
import { review } from '../../../src/phases/delivery/review.ts';
import {
  type ExecutionWorld,
  executionWorlds,
  pullRequestDraft,
} from '../../support/engine/executionWorld.ts';
import { until } from '../../support/until.ts';

describe('a base that moved', () => {
  const newWorld = executionWorlds();

  /** `greet.txt` and `more.txt` are committed, and the base gets these files meanwhile. */
  async function movedBy(
    files: Readonly<Record<string, string>>,
    testCommands = ['test -f greet.txt'],
  ): Promise<ExecutionWorld> {
    const world = await newWorld();
    await world.beginIntegration();
    await world.set('greet', { testCommands });
    await world.repository.commit(files, 'Somebody else');
    return world;
  }

  const log = (world: ExecutionWorld) => world.repository.git('log', '--format=%s', 'ticket/TST-1');
  let former = '';
  const question = (world: ExecutionWorld) =>
    until(async () => {
      const request = await world.request();
      return request.id === former ? undefined : request;
    }, 'the next question');
  const said = async (world: ExecutionWorld, answer: string) => {
    const { id, text } = await question(world);
    former = id;
    await world.post('question_reply', { request: id, answers: [[answer]] });
    return text;
  };
  const resolution = '<BASE_RESOLUTION>\nsummary: Both.\nnew_files: []\n</BASE_RESOLUTION>';

  it('is taken: the work is rebased and proved on it, and no checkout is touched', async () => {
    const world = await movedBy({ 'theirs.txt': 'theirs\n' });
    await world.put('final_test_report', {
      schema_version: 1,
      passed: true,
      commit: null,
      regression: [],
      summary: '',
      attempts: [{ number: 1, commands: ['test -f theirs.txt -a -f more.txt'], evidence: [], passed: true }],
    });
    const former = await world.git.head(world.worktree);
    const base = await world.repository.git('rev-parse', 'main');
    const before = await world.repository.fingerprint();
    await world.drive({ integrate });
    const ticket = await world.read();
    assert.equal(ticket.status, 'CREATING_PULL_REQUEST', JSON.stringify(ticket.error));
    assert.equal(
      await log(world),
      'bead(more.txt): work\nbead(greet.txt): work\nSomebody else\nFirst commit',
    );
    assert.equal(ticket.baseCommit, base);
    assert.equal(world.readWorktree('theirs.txt'), 'theirs\n');
    const update = await world.json('base_update');
    assert.deepEqual(
      [update?.['how'], update?.['from'], update?.['to'], update?.['before']],
      ['rebase', world.start, base, former],
    );
    const evidence = update?.['evidence'] as { command: string; exitCode: number; cwd: string }[];
    assert.deepEqual(
      evidence.map(({ command, exitCode }) => [command, exitCode]),
      [
        ['test -f theirs.txt -a -f more.txt', 0],
        ['test -f greet.txt', 0],
      ],
    );
    assert.ok(evidence.every(({ cwd }) => cwd !== world.worktree));
    assert.equal(
      await world.git.resolve(`refs/beadsmith/TST-1/before-update/${former.slice(0, 12)}`),
      former,
    );
    assert.equal((await world.json('integration_report'))?.['mergeBase'], base);
    assert.equal(await world.repository.fingerprint(), before);
  });

  it('is merged instead where the branch was pushed, so that nobody has to force a push', async () => {
    const world = await movedBy({ 'theirs.txt': 'theirs\n' });
    const former = await world.git.head(world.worktree);
    await world.repository.git('update-ref', 'refs/remotes/origin/ticket/TST-1', former);
    await world.drive({ integrate });
    assert.equal((await world.json('base_update'))?.['how'], 'merge');
    assert.equal(await world.git.isAncestor(former, 'ticket/TST-1'), true);
    assert.equal(await world.git.isAncestor('main', 'ticket/TST-1'), true);
  });

  it('lists what conflicts, and an agent resolves it in the worktree', async () => {
    const world = await movedBy({ 'greet.txt': 'theirs\n' });
    world.answers({
      'base-update': ({ whole }) => {
        assert.match(whole, /conflict[^]*greet\.txt/);
        const marked = world.readWorktree('greet.txt');
        assert.match(
          marked,
          /<<<<<<<[^]*line 0[^]*=======[^]*theirs[^]*>>>>>>>|<<<<<<<[^]*theirs[^]*=======[^]*line 0[^]*>>>>>>>/,
        );
        world.write('greet.txt', 'hello, theirs and line 0\n');
        return resolution;
      },
    });
    const driving = world.drive({ integrate });
    assert.match(await said(world, 'Agent'), /main moved, and these files conflict with it:[^]*greet\.txt/);
    await driving;
    await world.isIn('CREATING_PULL_REQUEST');
    assert.equal(await world.repository.git('show', 'ticket/TST-1:greet.txt'), 'hello, theirs and line 0');
    assert.equal(
      await world.repository.git('log', '-1', '--format=%s', 'ticket/TST-1'),
      'Merge main into ticket/TST-1',
    );
    const update = await world.json('base_update');
    assert.deepEqual([update?.['conflicts'], update?.['resolvedBy']], [['greet.txt'], 'agent']);
    assert.deepEqual(await world.git.status(world.worktree), []);
  });

  it('takes no resolution that leaves a marker or fails the checks, and asks again', async () => {
    const world = await movedBy({ 'greet.txt': 'theirs\n' }, ['grep -q hello greet.txt']);
    let tries = 0;
    world.answers({
      'base-update': ({ whole }) => {
        tries += 1;
        if (tries === 2) assert.match(whole, /still have conflict markers/);
        if (tries === 2) world.write('greet.txt', 'no greeting\n');
        return resolution;
      },
    });
    const driving = world.drive({ integrate });
    await said(world, 'Agent');
    assert.match(await said(world, 'Leave'), /grep -q hello greet\.txt/);
    await driving;
    assert.equal(tries, 2);
    assert.equal(await log(world), 'bead(more.txt): work\nbead(greet.txt): work\nFirst commit');
    assert.deepEqual(await world.git.status(world.worktree), []);
    assert.equal((await world.read()).baseCommit, world.start);
  });

  it('is resolved without a secret and without files that run elsewhere, unless a person accepts them', async () => {
    const token = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
    const world = await movedBy({ 'greet.txt': 'theirs\n', '.github/workflows/ci.yml': 'on: push\n' });
    let tries = 0;
    world.answers({
      'base-update': () => {
        tries += 1;
        world.write('greet.txt', tries === 1 ? `theirs and line 0, with ${token}\n` : 'theirs and line 0\n');
        return resolution;
      },
    });
    const driving = world.drive({ integrate });
    await said(world, 'Agent');
    const asked = await said(world, 'Send back');
    assert.match(asked, /before base-update is committed: - greet\.txt:1: looks like a secret/);
    assert.ok(!asked.includes('ci.yml'), 'what the base itself changed is not asked about');
    await driving;
    await world.isIn('CREATING_PULL_REQUEST');
    assert.equal(await world.repository.git('show', 'ticket/TST-1:greet.txt'), 'theirs and line 0');
    assert.equal(tries, 2);
  });

  it('is resolved by a person in the worktree, who is told where that is', async () => {
    const world = await movedBy({ 'greet.txt': 'theirs\n', 'old.txt': 'old\n' });
    const driving = world.drive({ integrate });
    await said(world, 'Myself');
    const { id, text } = await question(world);
    assert.ok(text.includes(world.worktree), text);
    world.write('greet.txt', 'hello from a person\n');
    world.write('added.txt', 'new\n');
    await world.post('question_reply', { request: id, answers: [['Resolved']] });
    await driving;
    assert.equal(await world.repository.git('show', 'ticket/TST-1:greet.txt'), 'hello from a person');
    assert.equal(await world.repository.git('show', 'ticket/TST-1:added.txt'), 'new');
    assert.equal(await world.repository.git('show', 'ticket/TST-1:old.txt'), 'old');
    assert.equal((await world.json('base_update'))?.['resolvedBy'], 'person');
  });

  it('says that it was rewritten, and puts the work on the new one when a person wants that', async () => {
    const world = await movedBy({ 'theirs.txt': 'theirs\n' });
    await world.repository.git('reset', '--quiet', '--hard', world.start);
    await world.repository.git('commit', '--quiet', '--amend', '--message', 'Another first commit');
    await world.drive({ integrate });
    const blocked = await world.read();
    assert.deepEqual([blocked.status, blocked.error?.code], ['BLOCKED_ERROR', 'BASE_BRANCH_REWRITTEN']);
    await world.post('update_base', { keep: false });
    await world.drive({ integrate }, 'CREATING_PULL_REQUEST');
    assert.equal(await log(world), 'bead(more.txt): work\nbead(greet.txt): work\nAnother first commit');
  });

  it('keeps the recorded commit when a person wants that, with a receipt', async () => {
    const world = await movedBy({ 'theirs.txt': 'theirs\n' });
    await world.repository.git('checkout', '--quiet', '-b', 'next');
    await world.repository.git('branch', '--quiet', '-D', 'main');
    await world.drive({ integrate });
    assert.equal((await world.read()).error?.code, 'BASE_BRANCH_GONE');
    await world.post('update_base', { keep: true });
    await world.drive({ integrate }, 'CREATING_PULL_REQUEST');
    assert.equal((await world.json('kept_base_receipt'))?.['commit'], world.start);
    assert.equal((await world.json('integration_report'))?.['mergeBase'], world.start);
  });

  it('is another branch when a person chooses one', async () => {
    const world = await movedBy({ 'theirs.txt': 'theirs\n' });
    await world.repository.git('checkout', '--quiet', '-b', 'next');
    await world.repository.git('branch', '--quiet', '-D', 'main');
    await world.drive({ integrate });
    await world.post('update_base', { baseBranch: 'next', keep: false });
    await world.drive({ integrate });
    const ticket = await world.read();
    assert.deepEqual(
      [ticket.status, ticket.baseBranch],
      ['CREATING_PULL_REQUEST', 'next'],
      JSON.stringify(ticket.error),
    );
    assert.equal(await world.git.isAncestor('next', 'ticket/TST-1'), true);
  });

  describe('after the pull request', () => {
    async function proposed(): Promise<ExecutionWorld> {
      const world = await newWorld();
      await world.beginIntegration();
      world.write('greet.txt', 'hello\n');
      await world.git.commit(world.worktree, {
        message: 'bead(hello): work',
        trailers: {},
        paths: ['greet.txt'],
      });
      world.answers({ 'pull-request': pullRequestDraft });
      await world.drive({ integrate, pullRequest });
      return world;
    }

    it('merges what it proved, and exactly that', async () => {
      const world = await proposed();
      await world.repository.commit({ 'theirs.txt': 'theirs\n' });
      const former = world.shell.commands.length;
      await world.post('merge', {});
      await world.drive({ review }, 'WRITING_RETROSPECTIVE');
      assert.equal(await world.repository.git('show', 'main:greet.txt'), 'hello');
      assert.equal(await world.repository.git('show', 'main:theirs.txt'), 'theirs');
      assert.deepEqual(world.shell.commands.slice(former), ['grep -q hello greet.txt']);
    });

    it('refuses what fails with it, says what to do, and moves nothing', async () => {
      const world = await proposed();
      await world.set('greet', { testCommands: ['test ! -f theirs.txt'] });
      const base = await world.repository.commit({ 'theirs.txt': 'theirs\n' });
      const refused = await world.post('merge', {});
      await world.drive({ review });
      assert.match(await world.said(refused), /test ! -f theirs\.txt.*Update from base/);
      assert.equal(await world.git.resolve('main'), base);
    });

    it('takes commits that a person added to the branch since through an update, after their proof', async () => {
      const world = await proposed();
      world.write('late.txt', 'late\n');
      await world.git.commit(world.worktree, { message: 'a person', trailers: {}, paths: ['late.txt'] });
      const refused = await world.post('merge', {});
      await world.drive({ review });
      assert.match(await world.said(refused), /Update from base/);
      const former = world.shell.commands.length;
      await world.post('update_base', { keep: false });
      const driving = world.drive({ review, integrate, pullRequest });
      await said(world, 'Keep');
      await driving;
      await world.post('merge', {});
      await world.drive({ review });
      assert.equal(await world.repository.git('show', 'main:late.txt'), 'late');
      assert.ok(world.shell.commands.length > former);
    });

    it('merges two tickets that change the same line', async () => {
      const world = await proposed();
      await world.repository.commit({ 'greet.txt': 'the other ticket\n' });
      const refused = await world.post('merge', {});
      await world.drive({ review });
      assert.match(await world.said(refused), /conflict: greet\.txt.*Update from base/);
      world.answers({
        'pull-request': pullRequestDraft,
        'base-update': () => {
          world.write('greet.txt', 'the other ticket says hello\n');
          return resolution;
        },
      });
      await world.post('update_base', { keep: false });
      const driving = world.drive({ review, integrate, pullRequest });
      await said(world, 'Agent');
      await driving;
      await world.post('merge', {});
      await world.drive({ review }, 'WRITING_RETROSPECTIVE');
      assert.equal(await world.repository.git('show', 'main:greet.txt'), 'the other ticket says hello');
    });

    it('says where the checkout has changes, and that only signed commits are taken', async () => {
      const world = await proposed();
      await world.repository.write({ 'README.md': 'mine\n' });
      const dirty = await world.post('merge', {});
      await world.drive({ review });
      assert.ok(
        (await world.said(dirty)).includes(
          `${world.repository.root} with changed files (1). Commit or stash them there`,
        ),
      );
      await world.repository.git('checkout', '--', 'README.md');
      await world.repository.git('config', 'merge.verifySignatures', 'true');
      const unsigned = await world.post('merge', {});
      await world.drive({ review });
      assert.match(await world.said(unsigned), /signed commits only/);
      assert.equal(await world.git.resolve('main'), world.start);
    });
  });
});
