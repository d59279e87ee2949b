import assert from 'node:assert/strict';
import { planHash } from '../../../../src/domain/beads/beadPlan.ts';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import type { Forges, RemoteForge } from '../../../../src/engine/ports/ports.ts';
import { cancel } from '../../../../src/phases/cancel.ts';
import { cleanup } from '../../../../src/phases/delivery/cleanup.ts';
import { preflight } from '../../../../src/phases/setup/preflight.ts';
import { testBead } from '../../../support/engine/executionWorld.ts';
import { type PhaseWorld, phaseWorlds } from '../../../support/engine/phaseWorld.ts';

const origin = {
  kind: 'issue',
  host: 'github.com',
  owner: 'octo',
  name: 'sample',
  number: 7,
  url: 'https://github.com/octo/sample/issues/7',
} as const;

const locked = new BeadsmithError('FORGE_REFUSED', {
  host: 'github.com',
  reason: '#7 is locked.',
  remedy: 'Unlock it.',
});

describe('the issue that a ticket was imported from', () => {
  const worlds = phaseWorlds();
  let told: { readonly number: number; readonly text: string; readonly key: string }[];
  let refusal: BeadsmithError | undefined;
  let isLost = false;

  beforeEach(() => {
    told = [];
    refusal = undefined;
    isLost = false;
  });

  async function imported(issueComments: 'off' | 'milestones' = 'milestones'): Promise<PhaseWorld> {
    const world = await worlds('PRE_FLIGHT_CHECK', {}, origin);
    world.github = { ...world.github, issueComments };
    const base = { remote: 'origin', host: 'github.com', api: '', owner: 'octo', name: 'sample' };
    const commentIssue: RemoteForge['commentIssue'] = async (number, { text, key, after }) => {
      if (after?.some((one) => told.some((comment) => comment.key === one)) === false) return false;
      if (!refusal || isLost) told.push({ number, text, key });
      if (refusal) throw refusal;
      return true;
    };
    const forge = { place: { base, head: base }, commentIssue };
    world.forges = { ...world.forges, at: () => Promise.resolve(forge) } as unknown as Forges;
    await world.change({ type: 'beads', beads: [testBead()] });
    const hash = planHash(await world.beads());
    const receipt = { artifact: 'beads', content_sha256: hash, stored_content_sha256: hash, with_gaps: [] };
    const approved = {
      schema_version: 1,
      ...receipt,
      reason: '',
      approved_by: 'user',
      approved_at: '2026-01-01',
    };
    await world.put('approval_receipt', JSON.stringify(approved), 'WAITING_BEADS_APPROVAL');
    Object.assign(world.git, {
      branchOf: () => Promise.resolve('ticket/TST-1'),
      status: () => Promise.resolve([]),
    });
    world.answers({ 'capability-probe': 'OK' });
    return world;
  }

  async function canceled(world: PhaseWorld): Promise<void> {
    await world.enter('CODING', { by: 'cancel', body: { reason: '', deleteWorktree: false } });
    await world.drive(cancel).catch(() => undefined);
  }

  const texts = () => told.map(({ text }) => text);

  it('is told that the plan is approved, once, and that the ticket was canceled', async () => {
    const world = await imported();
    for (let times = 0; times < 2; times += 1) {
      await world.enter('PRE_FLIGHT_CHECK');
      assert.deepEqual(await world.drive(preflight), { exit: 'passed' });
    }
    assert.deepEqual(texts(), ['Planned and in progress, as ticket TST-1 of Beadsmith.']);
    await canceled(world);
    assert.equal(texts().at(-1), 'Ticket TST-1 was canceled.');
    assert.equal(new Set(told.map(({ key }) => key)).size, 2);
    assert.deepEqual([...new Set(told.map(({ number }) => number))], [7]);
  });

  it('is told of the end as it was', async () => {
    const world = await imported();
    await world.drive(preflight);
    const report = {
      schema_version: 1,
      disposition: 'closed_unmerged',
      mergeCommit: null,
      reason: 'Secret plans',
    };
    await world.put('merge_report', JSON.stringify(report), 'WAITING_PR_REVIEW');
    await world.enter('CLEANING_ENV');
    await world.drive(cleanup);
    assert.equal(texts().at(-1), 'Closed without merging.');
  });

  it('is told nothing by default, nor of an end whose beginning it wasn’t told', async () => {
    for (const setting of ['off', 'milestones'] as const) {
      const world = await imported(setting);
      if (setting === 'off') await world.drive(preflight);
      await canceled(world);
    }
    assert.deepEqual(told, []);
  });

  it('keeps nothing from going on, and is told again if it couldn’t be', async () => {
    const world = await imported();
    refusal = locked;
    assert.deepEqual(await world.drive(preflight), { exit: 'passed' });
    assert.match(world.activity.at(-1) ?? '', /wasn't told\..*#7 is locked\. Unlock it\./);
    refusal = undefined;
    await world.enter('PRE_FLIGHT_CHECK');
    await world.drive(preflight);
    assert.equal(told.length, 1);
  });

  it('is told of the end, though the answer to the only comment so far was lost', async () => {
    const world = await imported();
    refusal = locked;
    isLost = true;
    await world.drive(preflight);
    refusal = undefined;
    await canceled(world);
    assert.deepEqual(texts().slice(1), ['Ticket TST-1 was canceled.']);
  });
});
