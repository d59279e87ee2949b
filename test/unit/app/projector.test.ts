import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorktreeFiles } from '../../../src/adapters/files/ticketFiles.ts';
import { flowOf, Projector } from '../../../src/app/projector.ts';
import { Bead } from '../../../src/domain/beads/bead.ts';
import { beadLines } from '../../../src/domain/beads/beadPlan.ts';
import { completeSettings } from '../../../src/domain/settings/settings.ts';
import type { Change, Store } from '../../../src/engine/ports/storePort.ts';
import { FakeClock } from '../../support/fakes/fakeClock.ts';
import { moveTicket } from '../../support/engine/moveTicket.ts';
import { folderForEach } from '../../support/tempFolder.ts';
import { tempStores } from '../../support/engine/tempStore.ts';
import { until } from '../../support/until.ts';
import { newTicket } from '../../support/samples.ts';

const bead = Bead.parse(
  JSON.parse(readFileSync(new URL('../../fixtures/bead.json', import.meta.url), 'utf8')),
);

describe('the projection into .ticket/', () => {
  const settings = completeSettings({ mainImplementer: 'demo/main', councilMembers: ['demo/second'] });
  const makeStore = tempStores();
  const folder = folderForEach('projector');

  async function world() {
    const { store } = makeStore();
    const { id } = await store.createTicket(newTicket);
    const worktree = join(folder.path, id);
    mkdirSync(worktree);
    await change(store, id, {
      type: 'ticket',
      set: { worktree, baseBranch: 'feature/x y', settings, startedAt: 0 },
    });
    await moveTicket(store, id, 'SCANNING_RELEVANT_FILES');
    const projector = (): Projector =>
      new Projector({
        store,
        files: new WorktreeFiles(),
        clock: new FakeClock(),
        isWorktree: (path) => existsSync(path),
      });
    const read = (path: string): string => readFileSync(join(worktree, '.ticket', path), 'utf8');
    return { store, id, worktree, projector, read };
  }

  it('has the current version of each document, the beads of the flow, approvals and state', async () => {
    const { store, id, projector, read } = await world();
    for (const content of ['old', 'new'])
      await change(store, id, {
        type: 'artifact',
        artifact: 'prd',
        content,
        status: 'DRAFTING_PRD',
        attempt: 1,
      });
    await change(store, id, { type: 'beads', beads: [bead] });
    await change(store, id, {
      type: 'artifact',
      artifact: 'approval_receipt',
      content: '{}',
      status: 'WAITING_PRD_APPROVAL',
      attempt: 1,
    });
    await projector().project(id);
    assert.equal(read('prd.yaml'), 'new');
    assert.equal(read('approvals/01-waiting_prd_approval.json'), '{}');
    assert.match(read('runtime/state.yaml'), /status: DRAFT/);
    const meta = JSON.parse(read('meta/ticket.meta.json')) as Record<string, unknown>;
    assert.deepEqual(
      [meta['externalId'], meta['title'], meta['startedAt']],
      [id, 'A ticket', '1970-01-01T00:00:00.000Z'],
    );
    assert.deepEqual(
      [meta['lockedMainImplementer'], meta['lockedCouncilMembers']],
      ['demo/main', ['demo/second']],
    );
  });

  it('has what a finished ticket leaves: the retrospective, the handoff, and what to check by hand', async () => {
    const { store, id, projector, read } = await world();
    for (const artifact of ['retrospective_report', 'handoff_report', 'uat_checklist'] as const)
      await change(store, id, {
        type: 'artifact',
        artifact,
        content: artifact,
        status: 'WRITING_RETROSPECTIVE',
        attempt: 1,
      });
    await projector().project(id);
    assert.deepEqual(['retrospective.yaml', 'handoff.yaml', 'uat.yaml'].map(read), [
      'retrospective_report',
      'handoff_report',
      'uat_checklist',
    ]);
  });

  it('holds no secret: agents read it too', async () => {
    const token = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
    const { store, id, projector, read } = await world();
    await change(store, id, {
      type: 'artifact',
      artifact: 'prd',
      content: `title: ${token}\nlast: true\n`,
      status: 'DRAFTING_PRD',
      attempt: 1,
    });
    await projector().project(id);
    assert.equal(read('prd.yaml'), 'title: (redacted github)\nlast: true\n');
  });

  it('has one copy of the plan, in one folder, however many the names of the base branch are', async () => {
    const { store, id, worktree, projector, read } = await world();
    await change(store, id, { type: 'ticket', set: { baseBranch: 'feature/x' } });
    await change(store, id, { type: 'beads', beads: [bead] });
    await change(store, id, {
      type: 'artifact',
      artifact: 'beads',
      content: beadLines([bead]),
      status: 'EXPANDING_BEADS',
      attempt: 1,
    });
    await projector().project(id);
    const files = readdirSync(join(worktree, '.ticket'), { recursive: true, encoding: 'utf8' });
    assert.deepEqual(
      files.filter((file) => file.endsWith('issues.jsonl')),
      ['beads/feature-x/.beads/issues.jsonl'],
    );
    assert.equal(read('beads/feature-x/.beads/issues.jsonl'), beadLines([bead]));
  });

  it('is written again by the next process, whatever the last one left unwritten', async () => {
    const { store, id, worktree, projector, read } = await world();
    await change(store, id, {
      type: 'artifact',
      artifact: 'interview',
      content: 'answers',
      status: 'DRAFT',
      attempt: 1,
    });
    mkdirSync(join(worktree, '.ticket'));
    writeFileSync(join(worktree, '.ticket/interview.yaml'), 'half of it');
    const next = projector();
    await next.start();
    await next.stop();
    assert.equal(read('interview.yaml'), 'answers');
  });

  it('is written again into a worktree that was deleted and made again', async () => {
    const { store, id, worktree, projector, read } = await world();
    await change(store, id, {
      type: 'artifact',
      artifact: 'prd',
      content: 'the PRD',
      status: 'DRAFTING_PRD',
      attempt: 1,
    });
    const lasting = projector();
    await lasting.project(id);
    rmSync(worktree, { recursive: true });
    await lasting.project(id);
    mkdirSync(worktree);
    await lasting.project(id);
    assert.equal(read('prd.yaml'), 'the PRD');
  });

  it('follows changes', async () => {
    const { store, id, worktree, projector, read } = await world();
    const running = projector();
    await running.start();
    await change(store, id, {
      type: 'artifact',
      artifact: 'prd',
      content: 'one',
      status: 'DRAFTING_PRD',
      attempt: 1,
    });
    await running.stop();
    assert.equal(read('prd.yaml'), 'one');
    assert.ok(existsSync(worktree));
  });

  it('is read for again only by a change of what it shows, or when its worktree was made again', async () => {
    const { store, id, worktree, read } = await world();
    let reads = 0;
    const counted = {
      ...store,
      artifacts: (...args: Parameters<Store['artifacts']>) => ((reads += 1), store.artifacts(...args)),
    };
    const clock = new FakeClock();
    let looks = 0;
    const isWorktree = (path: string): boolean => ((looks += 1), existsSync(path));
    const running = new Projector({ store: counted, files: new WorktreeFiles(), clock, isWorktree });
    await running.start();
    const looked = async (): Promise<void> => {
      const before = looks;
      await until(() => clock.sleepers === 1, 'it waits for the end of the burst');
      await clock.advance(500);
      await until(() => looks > before, 'it looks');
    };
    await looked();
    await until(() => existsSync(join(worktree, '.ticket/runtime/state.yaml')), 'the state is written');
    assert.equal(reads, 1);
    const work = (): Promise<unknown> =>
      store.commit({ ticket: id, journal: [{ kind: 'attempts', archivedFrom: 'DRAFT', statuses: [] }] });
    await work();
    await looked();
    const written = (): Promise<unknown> =>
      until(() => existsSync(join(worktree, '.ticket/prd.yaml')), 'the PRD is written');
    await change(store, id, {
      type: 'artifact',
      artifact: 'prd',
      content: 'one',
      status: 'DRAFTING_PRD',
      attempt: 1,
    });
    await looked();
    await written();
    assert.equal(reads, 2, 'what the engine journals of its steps is shown nowhere');
    rmSync(worktree, { recursive: true });
    await work();
    await looked();
    mkdirSync(worktree);
    await work();
    await looked();
    await written();
    assert.equal(read('prd.yaml'), 'one');
    await running.stop();
  });

  it('is written in turn, so that what was read earlier never replaces what is newer', async () => {
    const { store, id, read } = await world();
    await change(store, id, {
      type: 'artifact',
      artifact: 'prd',
      content: 'old',
      status: 'DRAFTING_PRD',
      attempt: 1,
    });
    const held = Promise.withResolvers<undefined>();
    let writes = 0;
    class SlowFiles extends WorktreeFiles {
      override async write(...args: Parameters<WorktreeFiles['write']>): Promise<void> {
        if ((writes += 1) === 1) await held.promise;
        await super.write(...args);
      }
    }
    const clock = new FakeClock();
    const running = new Projector({ store, files: new SlowFiles(), clock, isWorktree: existsSync });
    await running.start();
    await until(() => clock.sleepers === 1, 'it waits for the end of the burst');
    await clock.advance(500);
    await until(() => writes === 1, 'it writes');
    await change(store, id, {
      type: 'artifact',
      artifact: 'prd',
      content: 'new',
      status: 'DRAFTING_PRD',
      attempt: 2,
    });
    await until(() => clock.sleepers === 1, 'it waits for the end of the next burst');
    await clock.advance(500);
    held.resolve(undefined);
    await running.stop();
    assert.equal(read('prd.yaml'), 'new');
  });

  it('never makes a worktree that is gone, and leaves one alone that is being cleaned up', async () => {
    const { store, id, worktree, projector } = await world();
    await moveTicket(store, id, 'CLEANING_ENV');
    await projector().project(id);
    assert.equal(existsSync(join(worktree, '.ticket')), false);
    await moveTicket(store, id, 'COMPLETED');
    rmSync(worktree, { recursive: true });
    await projector().project(id);
    assert.equal(existsSync(worktree), false);
  });

  it('keeps a failure to itself and tries again with the next change', async () => {
    const { store, id, worktree, projector } = await world();
    writeFileSync(join(worktree, '.ticket'), 'in the way');
    const running = projector();
    await running.start();
    await running.stop();
    await until(() => running.lastError !== undefined, 'the failure is known', 1_000);
    assert.equal((await store.ticket(id))?.status, 'SCANNING_RELEVANT_FILES');
  });

  it('names the flow by the base branch, without anything that leads elsewhere', () => {
    assert.equal(flowOf({ baseBranch: 'main' }), 'main');
    assert.equal(flowOf({ baseBranch: '../../etc' }), '-..-etc');
    assert.equal(flowOf({ baseBranch: null }), 'main');
  });
});

async function change(store: Store, ticket: string, one: Change): Promise<void> {
  await store.commit({ ticket, journal: [], changes: [one] });
}
