import assert from 'node:assert/strict';
import { Limits, Settings } from '../../../../src/domain/settings.ts';
import { draft, ticketTextHash } from '../../../../src/phases/scan/draft.ts';
import { PlanningWorld } from '../../../support/planningWorld.ts';

const start = {
  settings: Settings.parse({ mainImplementer: 'demo/main@high', councilMembers: ['demo/second'] }),
  limits: Limits.parse({ tokenCap: 5 }),
};

describe('a draft', () => {
  let world: PlanningWorld;

  beforeEach(() => {
    world = new PlanningWorld();
    const unstarted = { settings: null, limits: null, baseBranch: null, baseCommit: null, branch: null, worktree: null, startedAt: null };
    world.store.ticketRow = { ...world.store.ticketRow, ...unstarted };
    world.enter('DRAFT');
  });

  it('waits, takes edits, and freezes settings, limits, base and worktree when it is started', async () => {
    assert.deepEqual(await world.drive(draft), { waits: ['start', 'edit'] });
    const edit = { artifact: 'ticket', baseSha256: ticketTextHash(world.store.ticketRow), surface: 'raw' } as const;
    world.post('edit', { ...edit, content: JSON.stringify({ title: 'Greet all', description: 'Loudly.' }) });
    world.post('start', start);
    const result = await world.drive(draft);
    assert.ok(typeof result === 'object' && 'exit' in result);
    assert.equal(world.store.ticketRow.title, 'Greet all');
    assert.deepEqual(result.patch?.settings, start.settings);
    assert.equal(result.patch.limits?.tokenCap, 5);
    assert.deepEqual(
      [result.patch.baseBranch, result.patch.baseCommit, result.patch.branch, result.patch.worktree],
      ['main', 'a'.repeat(40), 'ticket/TST-1', '/repo.worktrees/TST-1'],
    );
    assert.deepEqual(await world.drive(draft), result);
    assert.equal(world.git.added.length, 1);
  });

  it('refuses an edit from an old version, and one without a title', async () => {
    const stale = world.post('edit', { artifact: 'ticket', baseSha256: 'f'.repeat(64), content: '{}', surface: 'raw' });
    const empty = world.post('edit', { artifact: 'ticket', baseSha256: null, content: '{"title": " "}', surface: 'raw' });
    const other = world.post('edit', { artifact: 'prd', baseSha256: null, content: '', surface: 'raw' });
    await world.drive(draft);
    assert.deepEqual(
      [stale, empty, other].map((id) => world.outcome(id)),
      ['EDIT_CONFLICT', 'INVALID_ARTIFACT', 'INVALID_INPUT'],
    );
    assert.equal(world.store.ticketRow.title, 'Greet people');
  });

  it('says clearly why a start fails, and makes no worktree then', async () => {
    const causes = {
      MODEL_UNKNOWN: () => {
        world.agent.known = ['demo/main'];
      },
      BASE_BRANCH_MISSING: () => world.git.refs.clear(),
      NO_COMMITS: () => {
        world.git.hasCommits = false;
      },
    };
    for (const [code, cause] of Object.entries(causes)) {
      world.enter('DRAFT');
      cause();
      world.post('start', start);
      await assert.rejects(world.drive(draft), { code, continuable: false });
    }
    assert.deepEqual(world.git.added, []);
  });

  it('takes the remote branch when there is no local one', async () => {
    world.git.refs.clear();
    world.git.refs.set('refs/remotes/origin/next', 'b'.repeat(40));
    world.post('start', { ...start, baseBranch: 'next' });
    await world.drive(draft);
    assert.equal(world.git.added[0]?.commit, 'b'.repeat(40));
  });
});
