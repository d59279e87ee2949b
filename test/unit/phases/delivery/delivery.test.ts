import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BeadsmithError } from '../../../../src/domain/errors.ts';
import { cleanup } from '../../../../src/phases/delivery/cleanup.ts';
import { integrate } from '../../../../src/phases/delivery/integrate.ts';
import { pullRequest } from '../../../../src/phases/delivery/pullRequest.ts';
import { review } from '../../../../src/phases/delivery/review.ts';
import { type ExecutionWorld, executionWorlds } from '../../../support/executionWorld.ts';

async function withCommits(world: ExecutionWorld, settings: { integration?: 'keep' | 'squash' } = {}): Promise<void> {
  await world.begin('INTEGRATING_CHANGES', { settings, beads: [{ status: 'done', title: 'Greet | by name' }] });
  for (const [index, path] of ['greet.txt', 'more.txt'].entries()) {
    world.write(path, `line ${String(index)}\n`);
    await world.git.commit(world.worktree, { message: `bead(${path}): work`, trailers: { Bead: path }, paths: [path] });
  }
}

const draft = 'title: "Greet people"\nsummary: ["People are greeted.\u0007"]\nvalidation: ["It was run."]\n';

describe('integrating', () => {
  const newWorld = executionWorlds();

  it('keeps the bead commits, and a ref to them', async () => {
    const world = await newWorld();
    await withCommits(world);
    const head = await world.git.head(world.worktree);
    await world.drive({ integrate });
    assert.equal(await world.git.head(world.worktree), head);
    const report = await world.json('integration_report');
    assert.deepEqual(
      [report?.['strategy'], report?.['candidate'], report?.['commitCount'], report?.['files']],
      ['keep', head, 2, ['greet.txt', 'more.txt']],
    );
    assert.equal(await world.git.resolve('refs/beadsmith/TST-1/presquash/1'), head);
  });

  it("makes one commit of them if wanted, once, and never overwrites an earlier round's ref", async () => {
    const world = await newWorld();
    await withCommits(world, { integration: 'squash' });
    const head = await world.git.head(world.worktree);
    await world.git.updateRef('refs/beadsmith/TST-1/presquash/1', world.start);
    const squash = world.git.squash.bind(world.git);
    let squashed = 0;
    world.git.squash = async (...args) => {
      const sha = await squash(...args);
      squashed += 1;
      world.crash();
      return sha;
    };
    await world.driveUntilKilled({ integrate });
    await world.drive({ integrate });
    assert.equal(squashed, 1);
    assert.deepEqual(await world.subjects(), ['TST-1: Greet people']);
    assert.equal(await world.git.resolve('refs/beadsmith/TST-1/presquash/1'), world.start);
    assert.equal(await world.git.resolve('refs/beadsmith/TST-1/presquash/2'), head);
    assert.equal((await world.json('integration_report'))?.['commitCount'], 1);
  });

  it('fails when there is nothing to propose', async () => {
    const world = await newWorld();
    await world.begin('INTEGRATING_CHANGES');
    await world.drive({ integrate });
    assert.equal((await world.read()).error?.code, 'INTEGRATION_FAILED');
  });
});

describe('the pull request', () => {
  const newWorld = executionWorlds();

  it('is worded by the model, with commits, evidence and left-out files filled in by the engine', async () => {
    const world = await newWorld();
    await withCommits(world);
    await world.put('bead_commit:greet', {
      ...{ schema_version: 1, beadId: 'greet', iteration: 1, commit: 'a'.repeat(40), noop: false, leftOut: ['debug.log'] },
    });
    world.answers({
      'pull-request': ({ whole }) => {
        assert.match(whole, /\+line 1/, 'it sees the patch');
        assert.match(whole, /bead\(more\.txt\): work/, 'and the commits');
        return draft;
      },
    });
    await world.drive({ integrate, pullRequest });
    assert.equal((await world.read()).status, 'WAITING_PR_REVIEW');
    const [published] = world.forge.published;
    assert.deepEqual([published?.title, published?.branch, published?.base], ['TST-1: Greet people', 'ticket/TST-1', 'main']);
    const body = published?.body ?? '';
    assert.match(body, /## Summary\n\n- People are greeted\.\n/, 'control characters are gone');
    assert.match(body, /\| greet \| Greet \\\| by name \| `a{12}` \| 1 \| none \|/);
    assert.match(body, /not committed: `debug\.log`/);
    assert.equal((await world.json('pull_request_report'))?.['candidate'], await world.git.head(world.worktree));
  });

  it('has a plain text when the model gives none', async () => {
    const world = await newWorld();
    await withCommits(world);
    world.answers({ 'pull-request': { kind: 'auth', message: 'no', statusCode: 401, continuable: false } });
    await world.drive({ integrate, pullRequest });
    assert.equal((await world.read()).status, 'WAITING_PR_REVIEW');
    assert.match(world.forge.published[0]?.body ?? '', /## What changed\n\n- Greet \| by name/);
  });

  it('is published once, though the process was killed right after', async () => {
    const world = await newWorld();
    await withCommits(world);
    world.answers({ 'pull-request': draft });
    const publish = world.forge.publish.bind(world.forge);
    world.forge.publish = async (request) => {
      const place = await publish(request);
      world.crash();
      return place;
    };
    await world.driveUntilKilled({ integrate, pullRequest });
    await world.drive({ integrate, pullRequest });
    assert.equal((await world.read()).status, 'WAITING_PR_REVIEW');
    assert.equal(world.forge.published.length, 1);
    assert.deepEqual(world.agent.tasks, ['pull-request']);
  });

  it('blocks when the forge refuses', async () => {
    const world = await newWorld();
    await withCommits(world);
    world.answers({ 'pull-request': draft });
    world.forge.publish = () => Promise.reject(new BeadsmithError('GIT_FAILED', { command: 'push', reason: 'no way' }));
    await world.drive({ integrate, pullRequest });
    const { error } = await world.read();
    assert.equal(error?.code, 'PULL_REQUEST_FAILED');
    assert.match(String(error.args['reason']), /no way/);
  });
});

describe('the review', () => {
  const newWorld = executionWorlds();

  async function proposed(world: ExecutionWorld): Promise<string> {
    await withCommits(world);
    world.answers({ 'pull-request': draft });
    await world.drive({ integrate, pullRequest });
    return world.git.head(world.worktree);
  }

  it('merges, once', async () => {
    const world = await newWorld();
    const head = await proposed(world);
    const merge = world.git.merge.bind(world.git);
    world.git.merge = async (request) => {
      const sha = await merge(request);
      world.crash();
      return sha;
    };
    await world.post('merge', {});
    await world.driveUntilKilled({ review });
    world.git.merge = () => Promise.reject(new Error('It is merged already.'));
    await world.drive({ review });
    assert.equal((await world.read()).status, 'CLEANING_ENV');
    assert.equal(await world.git.resolve('main'), head);
    assert.deepEqual(await world.json('merge_report'), { schema_version: 1, disposition: 'merged', mergeCommit: head, reason: '' });
  });

  it('stays open when the merge is refused, and says why', async () => {
    const world = await newWorld();
    const head = await proposed(world);
    await world.repository.write({ 'README.md': 'the user works on this\n' });
    const refused = await world.post('merge', {});
    await world.drive({ review });
    assert.equal(await world.outcome(refused), 'MERGE_REFUSED');
    assert.equal((await world.read()).status, 'WAITING_PR_REVIEW');
    assert.equal(await world.repository.git('show', 'main:README.md'), '# Sample');

    await world.repository.git('checkout', '--', 'README.md');
    const merged = await world.post('merge', {});
    await world.drive({ review });
    assert.equal(await world.outcome(merged), 'consumed');
    assert.equal(await world.git.resolve('main'), head);
  });

  it('closes without merging, with a receipt', async () => {
    const world = await newWorld();
    await proposed(world);
    await world.post('close', { reason: 'Not now.' });
    await world.drive({ review });
    assert.equal((await world.read()).status, 'CLEANING_ENV');
    assert.equal(await world.git.resolve('main'), world.start);
    assert.equal((await world.json('skip_receipt:close_unmerged'))?.['reason'], 'Not now.');
    assert.equal((await world.json('merge_report'))?.['disposition'], 'closed_unmerged');
  });

  it('hands requested changes to coding, where they are found though the round is archived', async () => {
    const world = await newWorld();
    await proposed(world);
    await world.post('changes', { items: [{ text: 'Louder.' }] });
    await world.drive({ review });
    const ticket = await world.read();
    assert.deepEqual([ticket.status, ticket.entry.by], ['CODING', 'changes']);
    assert.deepEqual(await world.json('changes_requested'), { items: [{ text: 'Louder.' }] });
  });
});

describe('cleaning up', () => {
  const newWorld = executionWorlds();

  it('removes what only served the work, keeps documents, worktree and branch', async () => {
    const world = await newWorld();
    await world.begin('CLEANING_ENV');
    await world.files.write(world.worktree, '.ticket/runtime/execution-setup/run', 'x');
    await world.files.write(world.worktree, '.ticket/runtime/execution-log.jsonl', '{}');
    await world.files.write(world.worktree, '.ticket/prd.yaml', 'a: 1');
    await world.drive({ cleanup });
    assert.equal((await world.read()).status, 'COMPLETED');
    const left = ['runtime/execution-setup', 'runtime/execution-log.jsonl', 'prd.yaml'].map((path) =>
      existsSync(join(world.worktree, '.ticket', path)),
    );
    assert.deepEqual(left, [false, true, true]);
    assert.deepEqual((await world.json('cleanup_report'))?.['removed'], ['.ticket/runtime/execution-setup']);
    assert.ok(await world.git.resolve('ticket/TST-1'));
  });

  it("takes what can't be removed as a warning", async () => {
    const world = await newWorld();
    await world.begin('CLEANING_ENV');
    await world.files.write(world.worktree, '.ticket/runtime/state.yaml', 'x');
    world.files.remove = () => Promise.reject(new BeadsmithError('OUTSIDE_WORKTREE', { path: 'x' }));
    await world.drive({ cleanup });
    assert.equal((await world.read()).status, 'COMPLETED');
    assert.equal((await world.json('cleanup_report'))?.['status'], 'warning');
  });
});
