import assert from 'node:assert/strict';
import { isStarting } from '../../../../src/app/idle.ts';
import { Limits, Settings } from '../../../../src/domain/settings/settings.ts';
import { ticketTextHash } from '../../../../src/domain/ticket/ticket.ts';
import { draft } from '../../../../src/phases/start/draft.ts';
import { type PhaseWorld, phaseWorlds } from '../../../support/engine/phaseWorld.ts';
import { testClient } from '../../../support/engine/testClient.ts';

const start = {
  settings: Settings.parse({ mainImplementer: 'demo/main@high', councilMembers: ['demo/second'] }),
  limits: Limits.parse({ tokenCap: 5 }),
};

describe('a draft', () => {
  const worlds = phaseWorlds();
  let world: PhaseWorld;

  beforeEach(async () => (world = await worlds('DRAFT', null)));

  const edit = (
    content: string,
    baseSha256: string | null = null,
    artifact: 'ticket' | 'prd' = 'ticket',
  ): Promise<string> => world.post('edit', { artifact, baseSha256, content, surface: 'raw' });
  /** Posts the start of a draft with these settings. */
  const begin = async (over: object = {}): Promise<void> => {
    await world.enter('DRAFT');
    await world.post('start', { ...start, settings: { ...start.settings, ...over } });
  };

  it('waits, takes edits, and freezes settings, limits, base and worktree when it is started', async () => {
    assert.deepEqual(await world.drive(draft), { waits: ['start', 'edit'] });
    const content = JSON.stringify({ title: 'Greet all', description: 'Loudly.' });
    await edit(content, ticketTextHash(await world.ticket()));
    await world.post('start', start);
    world.killAt = 'exit';
    assert.equal(await world.drive(draft), 'killed');
    await world.drive(draft);
    const { title, settings, limits, baseBranch, baseCommit, branch, worktree, status } =
      await world.ticket();
    assert.deepEqual(
      [title, status, settings, limits?.tokenCap],
      ['Greet all', 'SCANNING_RELEVANT_FILES', { ...start.settings, review: 'standard' }, 5],
    );
    assert.deepEqual(
      [baseBranch, baseCommit, branch, worktree],
      ['main', 'a'.repeat(40), 'ticket/TST-1', '/repo.worktrees/TST-1'],
    );
    assert.equal(world.git.added.length, 1, 'one worktree, over the kill');
  });

  it('takes another priority with an edit, and keeps it where an edit names none', async () => {
    const text = { title: 'Greet all', description: '' };
    await edit(JSON.stringify({ ...text, priority: 1 }));
    await edit(JSON.stringify(text));
    await world.drive(draft);
    assert.equal((await world.ticket()).priority, 1);
  });

  it('leads a loop past planning, and keeps what it was started with', async () => {
    const loop = { tests: ['npm test'], setup: [], noTests: '' };
    await world.post('start', {
      ...start,
      settings: { ...start.settings, depth: 'loop', maxPasses: 4 },
      loop,
    });
    await world.drive(draft);
    const { status, settings } = await world.ticket();
    assert.deepEqual([status, settings?.depth, settings?.maxPasses], ['PREPARING_LOOP', 'loop', 4]);
    const stored = await world.store.artifact('TST-1', 'loop_request');
    assert.deepEqual(JSON.parse(stored?.content ?? ''), loop);
  });

  it('refuses an edit from an old version, and one without a title', async () => {
    const stale = await edit('{}', 'f'.repeat(64));
    const empty = await edit('{"title": " "}');
    const other = await edit('', null, 'prd');
    await world.drive(draft);
    assert.deepEqual(await world.outcomes(stale, empty, other), [
      'EDIT_CONFLICT',
      'INVALID_ARTIFACT',
      'INVALID_INPUT',
    ]);
    assert.equal((await world.ticket()).title, 'Greet people');
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
      cause();
      await begin();
      await assert.rejects(world.drive(draft), { code, continuable: false });
    }
    assert.deepEqual(world.git.added, []);
  });

  it('refuses a reviewer or a second implementer that is no known model', async () => {
    world.agent.known = ['demo/main', 'demo/second'];
    const settings = { review: 'standard', reviewer: 'demo/gone' } as const;
    for (const over of [settings, { secondImplementer: 'demo/gone' }]) {
      await begin(over);
      await assert.rejects(world.drive(draft), { code: 'MODEL_UNKNOWN', message: /demo\/gone/ });
    }
    await begin({ ...settings, review: 'off' });
    await world.drive(draft);
    assert.equal((await world.ticket()).status, 'SCANNING_RELEVANT_FILES');
  });

  it('refuses a persona that is missing or can’t be used, where a party needs it, and one whose model isn’t known', async () => {
    const { id: _, ...eve } = {
      id: 'eve',
      name: 'Eve',
      title: 'Attacker',
      icon: '',
      focus: 'misuse.',
      style: 'dry.',
      text: 'Look.',
    };
    const entry = (id: string, problem = '', model?: string) => {
      const persona = problem === '' ? { id, ...eve, ...(model === undefined ? {} : { model }) } : undefined;
      return { id, path: `personas/${id}.md`, isOwn: true, persona, problem };
    };
    const own = [entry('ann'), entry('eve', 'it has no front matter'), entry('max', '', 'demo/gone')];
    world.prompts = { ...world.prompts, personas: async () => own };
    for (const [personas, code, message] of [
      [['nobody'], 'PERSONA_REFUSED', /nobody.*there is none of this id/],
      [['ann', 'eve'], 'PERSONA_REFUSED', /personas\/eve\.md: it has no front matter/],
      [['max'], 'MODEL_UNKNOWN', /demo\/gone/],
    ] as const) {
      await begin({ review: 'party', personas });
      await assert.rejects(world.drive(draft), { code, message });
    }
    await begin({ review: 'off', personas: ['eve'] });
    await world.drive(draft);
    assert.equal((await world.ticket()).status, 'SCANNING_RELEVANT_FILES');
  });

  it('resumes a start whose process was killed in the middle of it', async () => {
    const add = world.git.addWorktree.bind(world.git);
    world.git.addWorktree = async (options) => {
      world.crash();
      return add(options);
    };
    await world.post('start', start);
    assert.equal(await world.drive(draft), 'killed');
    const { id } = await world.ticket();
    assert.equal((await testClient(world.store).ticket(id)).idle, false, 'a follower waits for its driver');
    assert.deepEqual(await world.store.active(), [id], 'the next driver continues it unasked');
    assert.equal(await isStarting(world.store, id), true);
    world.git.addWorktree = add;
    await world.drive(draft);
    assert.equal((await world.ticket()).status, 'SCANNING_RELEVANT_FILES');
  });

  it('is no start under way when it was only edited', async () => {
    await edit('{"title": "Other", "description": ""}');
    await world.drive(draft);
    const { id } = await world.ticket();
    assert.deepEqual([await isStarting(world.store, id), await world.store.active()], [false, []]);
  });

  it('takes the remote branch when there is no local one', async () => {
    world.git.refs.clear();
    world.git.refs.set('refs/remotes/origin/next', 'b'.repeat(40));
    await world.post('start', { ...start, baseBranch: 'next' });
    await world.drive(draft);
    assert.equal(world.git.added[0]?.commit, 'b'.repeat(40));
  });
});
