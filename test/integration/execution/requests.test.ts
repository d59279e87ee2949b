import assert from 'node:assert/strict';
import { sha256 } from '../../../src/base/sha256.ts';
import { TicketDiffs } from '../../../src/app/tickets/ticketDiffs.ts';
import { integrate } from '../../../src/phases/delivery/integrate.ts';
import { pullRequest } from '../../../src/phases/delivery/pullRequest.ts';
import { review } from '../../../src/phases/delivery/review.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import {
  type ExecutionWorld,
  fixBead,
  executionWorlds,
  pullRequestDraft,
  report,
} from '../../support/engine/executionWorld.ts';
import { until } from '../../support/until.ts';

describe('requests while beads are coded', () => {
  const newWorld = executionWorlds();
  const second = { id: 'second', testCommands: ['grep -q two second.txt'] };

  /** `before` is called ahead of each coding. */
  function answer(
    world: ExecutionWorld,
    before: (bead: string, whole: string) => Promise<void> | void,
  ): void {
    world.answers({
      coding: async ({ whole }) => {
        const bead = ['fix-loud', 'second', 'greet'].find((id) => whole.includes(`"id": "${id}"`)) ?? '';
        await before(bead, whole);
        if (bead === 'second') world.write('second.txt', 'two\n');
        else world.write('greet.txt', bead === 'greet' ? 'hello\n' : 'hello HELLO\n');
        return report(bead);
      },
      'qa-fix': () => fixBead('fix-loud'),
    });
  }

  it('become a note to a bead that is still to be coded', async () => {
    const world = await newWorld.in('CODING', { beads: [{}, second] });
    let seen = '';
    answer(world, async (bead, whole) => {
      if (bead === 'greet')
        await world.post('changes', {
          items: [{ text: 'Mind the gap.', bead: 'second', file: 'second.txt', line: 3 }],
        });
      else seen = whole;
    });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.match(seen, /From a reviewer, before iteration 1[^]*second\.txt, line 3:\s+Mind the gap\./);
    assert.deepEqual(world.agent.tasks, ['coding', 'coding'], 'no fix bead was made');
    assert.match((await world.bead('second')).notes, /Mind the gap/);
  });

  it('become a fix bead when the bead they are about is done by then, and history stays', async () => {
    const world = await newWorld.in('CODING', { beads: [{}, second] });
    answer(world, async (bead) => {
      if (bead === 'greet') await world.post('changes', { items: [{ text: 'Louder.', bead: 'greet' }] });
    });
    await world.drive({ coding });
    assert.deepEqual(world.agent.tasks, ['coding', 'qa-fix', 'coding', 'coding']);
    assert.deepEqual(await world.subjects(), [
      'bead(fix-loud): Say it louder',
      'bead(second): Greet by name',
      'bead(greet): Greet by name',
    ]);
    assert.deepEqual((await world.json('bead_amendment:fix-loud'))?.['requested'], [
      { text: 'Louder.', bead: 'greet' },
    ]);
    assert.equal((await world.bead('greet')).notes, '');
  });

  it('reach the bead that is being coded before its next iteration', async () => {
    const world = await newWorld.in('CODING', { limits: { maxContinuations: 0 } });
    const prompts: string[] = [];
    world.answers({
      coding: async ({ whole }) => {
        prompts.push(whole);
        if (prompts.length === 1)
          await world.post('changes', { items: [{ text: 'Say hello.', bead: 'greet' }] });
        else world.write('greet.txt', 'hello\n');
        return report('greet');
      },
      'coding-note': 'It failed.',
    });
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done');
    assert.deepEqual(
      [/Say hello\./.test(prompts[0] ?? ''), /Say hello\./.test(prompts[1] ?? '')],
      [false, true],
    );
  });

  it('are resumed after a retry when the fix beads could not be planned', async () => {
    const world = await newWorld.in('CODING', { beads: [{ status: 'done' }] });
    await world.post('changes', { items: [{ text: 'Louder.', bead: 'greet' }] });
    world.answers({ 'qa-fix': { kind: 'auth', message: 'no login', statusCode: 401, continuable: false } });
    await world.drive({ coding }, 'BLOCKED_ERROR');
    await world.post('changes', { items: [{ text: 'And longer.', bead: 'greet' }] });
    await world.post('retry', { note: '' });
    answer(world, () => undefined);
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.equal((await world.bead('fix-loud')).status, 'done');
    const asked = world.agent.calls.findLast(({ task }) => task === 'qa-fix')?.whole ?? '';
    assert.match(
      asked,
      /Finding 1, about bead greet:\nLouder\.[^]*Finding 2, about bead greet:\nAnd longer\./,
    );
  });

  it('are taken once, however often it is killed', async () => {
    const world = await newWorld.in('CODING', { beads: [{ status: 'done' }] });
    await world.post('changes', { items: [{ text: 'Louder.', bead: 'greet' }] });
    let killed = false;
    world.answers({
      'qa-fix': () => {
        if (!killed) world.crash();
        killed = true;
        return fixBead('fix-loud');
      },
      coding: world.writing({ 'greet.txt': 'hello HELLO\n' }, 'fix-loud'),
    });
    await world.driveUntilKilled({ coding });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.deepEqual(
      (await world.store.beads('TST-1')).map(({ id }) => id),
      ['greet', 'fix-loud'],
    );
  });

  it('make a person’s edit a commit between two beads, and later beads build on it', async () => {
    const world = await newWorld.in('CODING', { beads: [{}, second] });
    answer(world, async (bead) => {
      if (bead !== 'greet') return;
      const edit = {
        file: 'README.md',
        baseSha256: sha256('# Sample\n'),
        content: '# Better\n',
        bead: 'greet',
        reason: 'Name it',
      } as const;
      await world.post('suggest_edit', edit);
      await world.post('suggest_edit', { ...edit, content: '# Too late\n' });
    });
    await world.drive({ coding });
    assert.deepEqual(await world.subjects(), [
      'bead(second): Greet by name',
      'edit(README.md): Name it',
      'bead(greet): Greet by name',
    ]);
    const commit = (await world.git.commits(world.worktree, world.start, 'HEAD'))[1];
    assert.deepEqual(commit?.trailers, {
      Ticket: 'TST-1',
      Bead: 'greet',
      'Suggested-by': 'user',
      Suggestion: 'post-1',
    });
    assert.equal((await world.bead('second')).beadStartCommit, commit.sha);
    assert.equal(world.readWorktree('README.md'), '# Better\n');
    assert.equal((await world.json('suggested_edit:post-1'))?.['commit'], commit.sha);
    assert.equal(await world.outcome('post-2'), 'EDIT_CONFLICT', 'an edit of another version is refused');
  });
});

describe('requests at the review', () => {
  const newWorld = executionWorlds();

  async function proposed(world: ExecutionWorld): Promise<void> {
    await world.beginIntegration();
    world.answers({ 'pull-request': pullRequestDraft });
    await world.drive({ integrate, pullRequest });
  }

  it('an own edit becomes one commit, even when it is killed, and goes back to be tested', async () => {
    const world = await newWorld();
    await proposed(world);
    const adopt = world.git.adopt.bind(world.git);
    world.git.adopt = async (...args) => {
      await adopt(...args);
      world.crash();
    };
    await world.post('suggest_edit', {
      file: 'greet.txt',
      baseSha256: sha256('line 0\n'),
      content: 'line zero\n',
      reason: '',
    });
    await world.driveUntilKilled({ review });
    world.git.adopt = adopt;
    world.git.commitText = () => Promise.reject(new Error('The commit stands already.'));
    await world.drive({ review });
    assert.deepEqual((await world.read()).status, 'CODING');
    assert.equal((await world.subjects())[0], 'edit(greet.txt): suggested in review');
    assert.equal(world.readWorktree('greet.txt'), 'line zero\n');
    await world.drive({ coding });
    assert.equal(
      (await world.read()).status,
      'RUNNING_FINAL_TEST',
      'with nothing to code it is tested again',
    );
    assert.equal((await world.json('suggested_edit:post-1'))?.['file'], 'greet.txt');
  });

  it('an edit that does not fit leaves the gate open', async () => {
    const world = await newWorld();
    await proposed(world);
    const post = await world.post('suggest_edit', {
      file: 'gone.txt',
      baseSha256: sha256('x'),
      content: 'y',
      reason: '',
    });
    await world.drive({ review }, 'WAITING_PR_REVIEW');
    assert.equal(await world.outcome(post), 'EDIT_CONFLICT');
  });

  it('an accepted bead has a receipt with the hash of its diff, also while the gate waits; a stale one is refused', async () => {
    const world = await newWorld.in('CODING');
    world.answersGreeting();
    await world.drive({ coding });
    const diffs = new TicketDiffs(world.store, world.git, world.repository.root);
    const view = await diffs.diff('TST-1', { kind: 'bead', bead: 'greet' });
    assert.ok(view);
    const stale = await world.post('accept_bead', { bead: 'greet', sha256: 'a'.repeat(64), reason: '' });
    const good = await world.post('accept_bead', { bead: 'greet', sha256: view.sha256, reason: 'Fine.' });
    await world.drive({});
    assert.deepEqual([await world.outcome(stale), await world.outcome(good)], ['STALE_APPROVAL', 'consumed']);
    const receipt = await world.json('bead_review:greet');
    assert.deepEqual(
      [receipt?.['verdict'], receipt?.['diff_sha256'], receipt?.['reason']],
      ['accepted', view.sha256, 'Fine.'],
    );
  });

  it('accepting interrupts nobody', async () => {
    const world = await newWorld.in('CODING', {
      beads: [{}, { id: 'second', testCommands: ['true'], unprovedReason: 'Nothing changes.' }],
    });
    let hash = '';
    world.answers({
      coding: async ({ whole }) => {
        if (whole.includes('"id": "greet"')) {
          world.write('greet.txt', 'hello\n');
          return report('greet');
        }
        const diffs = new TicketDiffs(world.store, world.git, world.repository.root);
        hash = (await diffs.diff('TST-1', { kind: 'bead', bead: 'greet' }))?.sha256 ?? '';
        const id = await world.post('accept_bead', { bead: 'greet', sha256: hash, reason: '' });
        await until(async () => (await world.outcome(id)) !== 'pending', 'the acceptance is taken');
        return report('second');
      },
    });
    await world.drive({ coding });
    assert.equal((await world.json('bead_review:greet'))?.['diff_sha256'], hash);
    assert.deepEqual(
      world.events.filter((event) => event.type === 'step' && event.state === 'replayed'),
      [],
      'the run was never left',
    );
  });

  it('a rejected bead has a receipt, and its reason goes back to coding', async () => {
    const world = await newWorld();
    await proposed(world);
    await world.post('changes', { items: [{ text: 'Too quiet.', bead: 'greet', rejects: 'b'.repeat(64) }] });
    await world.drive({ review }, 'CODING');
    const receipt = await world.json('bead_review:greet');
    assert.deepEqual(
      [receipt?.['verdict'], receipt?.['diff_sha256'], receipt?.['reason']],
      ['rejected', 'b'.repeat(64), 'Too quiet.'],
    );
  });
});
