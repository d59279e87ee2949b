import assert from 'node:assert/strict';
import { coding } from '../../../src/phases/coding/coding.ts';
import { integrate } from '../../../src/phases/delivery/integrate.ts';
import { pullRequest } from '../../../src/phases/delivery/pullRequest.ts';
import { review } from '../../../src/phases/delivery/review.ts';
import { finalTest } from '../../../src/phases/finalTest/finalTest.ts';
import {
  type ExecutionWorld,
  executionWorlds,
  pullRequestDraft,
  report,
} from '../../support/engine/executionWorld.ts';

/** No text of a commit is believed. */
describe('the tip of a ticket branch', () => {
  const newWorld = executionWorlds();

  /** As an agent or its left-over process, in the name of another bead. */
  async function forge(world: ExecutionWorld, path: string, content: string): Promise<string> {
    world.write(path, content);
    const git = (...args: readonly string[]) => world.repository.git('-C', world.worktree, ...args);
    await git('add', path);
    await git(
      'commit',
      '--quiet',
      '-m',
      `bead(other): ${path}`,
      '-m',
      'Ticket: TST-1\nBead: other\nIteration: 1\nEdited-by: user',
    );
    return git('rev-parse', 'HEAD');
  }

  const onBranch = async (world: ExecutionWorld): Promise<string> =>
    world.repository.git('ls-tree', '-r', '--name-only', 'refs/heads/ticket/TST-1');

  const choose = async (world: ExecutionWorld, choice: string): Promise<string> => {
    const { id, text } = await world.request();
    await world.post('question_reply', { request: id, answers: [[choice]] });
    return text;
  };

  /** With something that happens between coding and the final test. */
  async function coded(world: ExecutionWorld): Promise<void> {
    await world.begin('CODING');
    world.answers({
      coding: world.writing({ 'greet.txt': 'hello\n' }),
      'final-test': () =>
        '<FINAL_TEST_COMMANDS>\ncommands: ["grep -q hello greet.txt"]\nsummary: "It says hello."\ntest_files: []\nmodified_files: []\n</FINAL_TEST_COMMANDS>',
      'pull-request': pullRequestDraft,
    });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
  }

  it('loses nothing of a rejected iteration to a commit in the name of another bead', async () => {
    const world = await newWorld.in('CODING');
    world.answers({
      coding: async ({ turn }) => {
        if (turn > 1) {
          world.write('greet.txt', 'hello\n');
          return report('greet');
        }
        await forge(world, 'rejected.txt', 'never tested\n');
        return report('greet', { status: 'error' });
      },
      'coding-continue': () => report('greet', { status: 'error' }),
    });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.equal(await onBranch(world), '.gitignore\nREADME.md\ngreet.txt');
    assert.equal(
      await world.repository.git('show', 'refs/beadsmith/TST-1/greet/1:rejected.txt'),
      'never tested',
    );
  });

  it('takes what an agent amended and reset as changes of files, and keeps its commits', async () => {
    const world = await newWorld.in('CODING');
    let amended = '';
    world.answers({
      coding: async () => {
        world.write('greet.txt', 'hello\n');
        const git = (...args: readonly string[]) => world.repository.git('-C', world.worktree, ...args);
        await git('add', 'greet.txt');
        await git('commit', '--quiet', '--amend', '-m', 'rewritten');
        amended = await git('rev-parse', 'HEAD');
        return report('greet');
      },
    });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.deepEqual(await world.subjects(), ['bead(greet): Greet by name']);
    assert.equal(await world.repository.git('rev-parse', 'refs/beadsmith/TST-1/undone/1'), amended);
    assert.ok(
      world.events.some((event) => 'text' in event && /undone\/1/.test(event.text)),
      'the log says it',
    );
  });

  it('asks about commits that nobody recorded, and leaves them out with their files', async () => {
    const world = await newWorld();
    await coded(world);
    const forged = await forge(world, 'evil.txt', 'never tested\n');
    const driving = world.drive({ finalTest, integrate, pullRequest });
    assert.match(await choose(world, 'Leave out'), /bead\(other\): evil\.txt/);
    await driving;
    await world.isIn('WAITING_PR_REVIEW');
    assert.equal(await onBranch(world), '.gitignore\nREADME.md\ngreet.txt');
    assert.equal(await world.repository.git('rev-parse', 'refs/beadsmith/TST-1/undone/1'), forged);
  });

  it('proves commits that a person keeps, also after the final test', async () => {
    const world = await newWorld();
    await coded(world);
    await world.drive({ finalTest }, 'INTEGRATING_CHANGES');
    await forge(world, 'greet.txt', 'goodbye\n');
    const driving = world.drive({ integrate, pullRequest });
    await choose(world, 'Keep');
    await driving;
    const { status, error } = await world.read();
    assert.equal(status, 'BLOCKED_ERROR');
    assert.match(JSON.stringify(error), /grep -q hello greet\.txt/);
  });

  it('refuses to merge a branch that moved after the pull request, and takes the commits through an update from base', async () => {
    const world = await newWorld();
    await coded(world);
    await world.drive({ finalTest, integrate, pullRequest });
    const late = await forge(world, 'late.txt', 'late\n');
    const refused = await world.post('merge', {});
    await world.drive({ review });
    assert.equal(await world.outcome(refused), 'MERGE_REFUSED');
    assert.match(await world.said(refused), /Update from base/);
    assert.equal(await world.git.resolve('main'), world.start);
    await world.post('update_base', { keep: false });
    const driving = world.drive({ review, integrate, pullRequest });
    await choose(world, 'Keep');
    await driving;
    await world.isIn('WAITING_PR_REVIEW');
    await world.post('merge', {});
    await world.drive({ review });
    assert.equal(await world.git.resolve('main'), late);
  });

  it('is no merge that an agent made by moving the branch back to its base', async () => {
    const world = await newWorld();
    await coded(world);
    await world.drive({ finalTest, integrate, pullRequest });
    await world.repository.git('-C', world.worktree, 'reset', '--quiet', '--hard', world.start);
    const refused = await world.post('merge', {});
    await world.drive({ review });
    assert.equal(await world.outcome(refused), 'MERGE_REFUSED');
  });

  it('is where it was recorded when the branch and the worktree were deleted', async () => {
    const world = await newWorld();
    await coded(world);
    const tip = await world.git.resolve('ticket/TST-1');
    await world.repository.git('worktree', 'remove', '--force', world.worktree);
    await world.repository.git('branch', '-D', 'ticket/TST-1');
    await world.drive({ finalTest }, 'BLOCKED_ERROR');
    await world.post('retry', { note: '' });
    await world.drive({ finalTest }, 'INTEGRATING_CHANGES');
    assert.equal(await world.git.resolve('ticket/TST-1'), tip);
  });
});
