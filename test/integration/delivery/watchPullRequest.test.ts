import assert from 'node:assert/strict';
import { ForgeWatch } from '../../../src/app/forgeWatch.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import type { TicketEvent } from '../../../src/domain/core/events.ts';
import { fromRecord } from '../../../src/domain/core/errors.ts';
import { lookLine } from '../../../src/domain/forge/forgeLook.ts';
import { review } from '../../../src/phases/delivery/review.ts';
import { type ExecutionWorld, executionWorlds } from '../../support/engine/executionWorld.ts';
import { type StandInPull, type StandInRepository, tipOf } from '../../support/forge/endpoints.ts';
import { ForgeStandIn } from '../../support/forge/forgeStandIn.ts';
import { reviewedTicket, withLogin } from '../../support/forge/reviewedTicket.ts';
import { until } from '../../support/until.ts';

const minute = 60_000;

describe('a published pull request that the forge changes', function () {
  this.timeout(120_000);
  const newWorld = executionWorlds();
  let forge: ForgeStandIn;
  let repository: StandInRepository;
  let watch: ForgeWatch | undefined;
  let logged: string[];
  let isOn: boolean;

  beforeEach(async () => {
    forge = new ForgeStandIn();
    await forge.start();
    repository = forge.addRepository('octo/sample');
    logged = [];
    isOn = true;
  });
  afterEach(async () => {
    await watch?.stop();
    watch = undefined;
    await forge.stop();
    forge.assertSound();
  });

  const events = new Emitter<TicketEvent>();

  /** A ticket with a pull request, which is watched. */
  async function watched(): Promise<{ readonly world: ExecutionWorld; readonly pull: StandInPull }> {
    const world = await reviewedTicket(await newWorld(), forge);
    await world.post('create_pull_request', { remote: '', repository: '', pushTo: '', draft: false });
    await world.drive({ review });
    const [pull] = repository.pulls;
    assert.ok(pull, 'it was created');
    const log = (line: string) => logged.push(line);
    watch = new ForgeWatch({ ...world.ports, events, isOn: () => isOn, log });
    await watch.start(() => true);
    await settled(world);
    return { world, pull };
  }

  /** Waits until the watch looked and the handler carried out what it filed. */
  async function settled(world: ExecutionWorld): Promise<void> {
    const hasLooked = () => (watch?.of(world.ticket)?.nextAt ?? Infinity) > world.clock.now();
    await until(hasLooked, 'the watch looked');
    await world.drive({ review });
  }

  async function later(world: ExecutionWorld, ms = minute): Promise<void> {
    await world.clock.advance(ms);
    await settled(world);
  }

  async function merged(world: ExecutionWorld, pull: StandInPull): Promise<string> {
    const { repository: local } = world;
    const tip = tipOf(repository, 'ticket/TST-1') ?? '';
    const merge = await local.git('commit-tree', '-m', 'Merge', '-p', 'main', '-p', tip, `${tip}^{tree}`);
    await local.git('push', '--quiet', withLogin(forge), `${merge}:refs/heads/main`);
    Object.assign(pull, { sha: tip, state: 'closed', mergedAt: '2026-01-01T00:00:00Z', mergeSha: merge });
    return merge;
  }

  async function shown(world: ExecutionWorld): Promise<string> {
    const { forge: state } = await world.read();
    if (!state) return 'nothing';
    const news = state.news && fromRecord(state.news);
    return `${lookLine(state)}${news ? `. ${news.message} ${news.nextStep}` : ''}`;
  }

  it('completes the ticket once it is merged there, with a receipt, and moves nothing here', async () => {
    const { world, pull } = await watched();
    const main = await world.git.resolve('refs/heads/main');
    const mergeCommit = await merged(world, pull);
    await later(world);
    await world.isIn('WRITING_RETROSPECTIVE');
    assert.deepEqual(await world.json('merge_report'), {
      schema_version: 1,
      disposition: 'merged',
      mergeCommit,
      forge: {
        repository: `${forge.host}/octo/sample`,
        number: 1,
        location: `http://${forge.host}/octo/sample/pull/1`,
        head: await world.git.head(world.worktree),
      },
      reason: '',
    });
    assert.equal(await world.git.resolve('refs/heads/main'), main);
    assert.equal(watch?.of(world.ticket) === undefined, false);
  });

  it('shows reviews and checks of both kinds as they come, without a person', async () => {
    const { world, pull } = await watched();
    assert.equal(await shown(world), '#1 open');
    repository.checks = [
      { name: 'build', status: 'completed', conclusion: 'success' },
      { name: 'test', status: 'in_progress', conclusion: null },
    ];
    repository.statuses = [{ context: 'ci/old', state: 'failure' }];
    await later(world);
    assert.equal(await shown(world), '#1 open, 1 of 3 checks passed, 1 failed, 1 pending');
    pull.reviews = [{ user: 'eve', state: 'APPROVED' }];
    await later(world);
    assert.match(await shown(world), /^#1 open, approved, /);
  });
});
