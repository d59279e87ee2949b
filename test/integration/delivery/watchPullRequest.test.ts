import assert from 'node:assert/strict';
import { ForgeWatch } from '../../../src/app/forgeWatch.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import type { TicketEvent } from '../../../src/domain/core/events.ts';
import { Engine } from '../../../src/engine/drive/engine.ts';
import { fromRecord } from '../../../src/domain/core/errors.ts';
import { lookLine } from '../../../src/domain/forge/forgeLook.ts';
import { review } from '../../../src/phases/delivery/review.ts';
import { behaviourOf } from '../../support/engine/engineWorld.ts';
import type { ExecutionWorld } from '../../support/engine/executionWorld.ts';
import { type StandInPull, type StandInRepository, tipOf } from '../../support/forge/endpoints.ts';
import { forgeTickets, plainPublishing, withLogin } from '../../support/forge/forgeTickets.ts';
import { until } from '../../support/until.ts';

const minute = 60_000;
const pullRoute = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';

describe('a published pull request that the forge changes', function () {
  this.timeout(120_000);
  const tickets = forgeTickets();
  const { forge } = tickets;
  let repository: StandInRepository;
  let watch: ForgeWatch | undefined;
  let logged: string[];
  let isOn: boolean;

  beforeEach(() => {
    ({ repository } = tickets);
    logged = [];
    isOn = true;
  });
  afterEach(async () => {
    await watch?.stop();
    watch = undefined;
  });

  const events = new Emitter<TicketEvent>();

  /** A ticket with a pull request, which is watched. */
  async function watched(): Promise<{ readonly world: ExecutionWorld; readonly pull: StandInPull }> {
    const { world, pull } = await tickets.published();
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

  it('completes the ticket with the engine that drives it, and nobody at the keyboard', async () => {
    const world = await tickets.reviewed();
    const ports = { ...world.ports, events: { emit: (event: TicketEvent) => events.emit(event) } };
    const engine = new Engine(ports, behaviourOf({ review }));
    await engine.start();
    const log = (line: string) => logged.push(line);
    watch = new ForgeWatch({ ...ports, events, isOn: () => isOn, log });
    await watch.start(() => true);
    try {
      assert.equal(watch.of(world.ticket), undefined);
      await world.post('create_pull_request', plainPublishing);
      await until(() => watch?.of(world.ticket), 'the published pull request is watched');
      const [pull] = repository.pulls;
      assert.ok(pull);
      await merged(world, pull);
      const completed = async () => {
        await world.clock.advance(minute);
        return (await world.read()).status === 'COMPLETED';
      };
      await until(completed, 'the ticket was completed');
    } finally {
      await watch.stop();
      await engine.stop();
    }
    assert.equal((await world.json('merge_report'))?.['disposition'], 'merged');
    assert.deepEqual(logged, []);
  });

  it('is followed to the new name of its repository, and a slow answer holds nobody up', async () => {
    const { world, pull } = await watched();
    forge.repositories.set('octo/renamed', repository);
    const location = `http://${forge.host}/api/v3/repos/octo/renamed/pulls/1`;
    pull.state = 'closed';
    forge.troubles(pullRoute, { status: 301, headers: { location } }, { status: 301, headers: { location } });
    await later(world);
    assert.match(await shown(world), /^#1 closed\./);
    forge.troubles(pullRoute, { delayMs: 5_000 });
    await world.clock.advance(minute);
    const start = performance.now();
    await watch?.stop();
    assert.ok(performance.now() - start < 3_000, 'the end waits for no answer');
    assert.deepEqual(logged, []);
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

  it('says once what a person has to do, for each thing that can become of it, and takes it back', async () => {
    const { world, pull } = await watched();
    const git = (...args: readonly string[]) => world.repository.git(...args);
    const clean = '#1 open';
    const tip = tipOf(repository, 'ticket/TST-1') ?? '';
    const push = (...what: readonly string[]) => git('push', '--quiet', '--force', withLogin(forge), ...what);
    const theirs = await git('commit-tree', '-m', 'theirs', '-p', tip, `${tip}^{tree}`);
    await push('main:refs/heads/next');
    const cases: readonly (readonly [() => unknown, RegExp, () => unknown])[] = [
      [
        () => (pull.mergeable = false),
        /^#1 open\. The pull request conflicts with "main": http.* Pull "main", update the ticket from base, then/,
        () => (pull.mergeable = true),
      ],
      [
        () => (pull.base = 'next'),
        /^#1 open\. The pull request now goes to "next", not to "main": .* Change it back there, or update the ticket/,
        () => (pull.base = 'main'),
      ],
      [
        () => push(`${theirs}:refs/heads/ticket/TST-1`),
        /^#1 open\. Someone else pushed \w{12} to the branch of the pull request: .* Merge it there, or take/,
        () => push(`${tip}:refs/heads/ticket/TST-1`),
      ],
      [
        () => (pull.state = 'closed'),
        /^#1 closed\. The pull request was closed without merging: .* Reopen it there, or close the ticket/,
        () => (pull.state = 'open'),
      ],
      [
        async () => {
          pull.state = 'closed';
          await push(':refs/heads/ticket/TST-1');
        },
        /^#1 closed\. The branch of the pull request was deleted: .* Restore the branch and reopen/,
        async () => {
          pull.state = 'open';
          await push(`${tip}:refs/heads/ticket/TST-1`);
        },
      ],
    ];
    for (const [change, words, back] of cases) {
      await change();
      await later(world);
      assert.match(await shown(world), words);
      await back();
      await later(world);
      assert.equal(await shown(world), clean);
      await world.isIn('WAITING_PR_REVIEW');
    }
    const said = world.events.flatMap((event) => (event.type === 'activity' ? [event.text] : []));
    assert.equal(said.filter((text) => text.includes('conflicts with')).length, 1);
  });

  it('is completed by a merge of more than the ticket’s commits, and by none of less or elsewhere', async () => {
    const { world, pull } = await watched();
    const git = (...args: readonly string[]) => world.repository.git(...args);
    const tip = tipOf(repository, 'ticket/TST-1') ?? '';
    const isMerged = { state: 'closed', mergedAt: '2026-01-01T00:00:00Z', mergeSha: tip } as const;
    const before = await git('rev-parse', `${tip}^`);
    for (const [as, words] of [
      [
        { sha: before },
        /merged without the latest commits of the ticket: .* Pull "main", then close the ticket/,
      ],
      [{ sha: tip, base: 'next' }, /was merged into "next", not into "main": .* If that is right, close/],
    ] as const) {
      Object.assign(pull, { base: 'main', ...isMerged, ...as });
      await later(world);
      assert.match(await shown(world), words);
      await world.isIn('WAITING_PR_REVIEW');
    }
    const theirs = await git('commit-tree', '-m', 'theirs', '-p', tip, `${tip}^{tree}`);
    Object.assign(pull, { ...isMerged, base: 'main', sha: theirs });
    await later(world);
    await world.isIn('WRITING_RETROSPECTIVE');
  });

  it('completes nothing for a pull request of another branch, or of a repository that took the name', async () => {
    const { world, pull } = await watched();
    const { head } = pull;
    const { id } = repository;
    await merged(world, pull);
    pull.head = { ...head, branch: 'main' };
    await later(world);
    assert.match(
      await shown(world),
      /^#1 merged\. The pull request is of the branch "main", not of "ticket\/TST-1": .* Rename the branch back/,
    );
    Object.assign(pull, { head });
    repository.id = id + 100;
    await later(world);
    assert.match(
      await shown(world),
      /^#1 merged\. The repository \S+octo\/sample was replaced by another one of this name, .* close the ticket/,
    );
    await world.isIn('WAITING_PR_REVIEW');
    const again = await world.post('create_pull_request', plainPublishing);
    await world.drive({ review });
    assert.match(await world.said(again), /was replaced by another one/);
    repository.id = id;
    await later(world);
    await world.isIn('WRITING_RETROSPECTIVE');
  });

  it('is checked by a person too, who is told why that failed', async () => {
    const { world, pull } = await watched();
    isOn = false;
    const asked = async (): Promise<string> => {
      const entry = await world.post('check_pull_request', {});
      await world.drive({ review });
      return `${(await world.outcome(entry)) ?? ''} ${await world.said(entry)}`;
    };
    assert.match(await asked(), /^consumed/);
    forge.expired.add(forge.token);
    assert.match(await asked(), /^FORGE_SIGN_IN .*Sign in/);
    forge.expired.clear();
    await world.repository.git('remote', 'rename', 'origin', 'mine');
    assert.match(await asked(), /^consumed/);
    await world.repository.git('remote', 'remove', 'mine');
    assert.match(await asked(), /^FORGE_UNKNOWN/);
    await world.isIn('WAITING_PR_REVIEW');
    await world.repository.git('remote', 'add', 'origin', forge.addressOf('octo/sample'));
    await merged(world, pull);
    await asked();
    await world.isIn('WRITING_RETROSPECTIVE');
  });

  it('completes its ticket once, though two processes watch it for a moment', async () => {
    const { world, pull } = await watched();
    const log = (line: string) => logged.push(line);
    const second = new ForgeWatch({ ...world.ports, events, isOn: () => true, log });
    try {
      await second.start(() => true);
      await merged(world, pull);
      await world.clock.advance(minute);
      const hasLooked = () => (second.of(world.ticket)?.nextAt ?? Infinity) > world.clock.now();
      await until(hasLooked, 'the second one looked');
      await settled(world);
    } finally {
      await second.stop();
    }
    await world.isIn('WRITING_RETROSPECTIVE');
    const receipts = await world.store.artifacts(world.ticket, { type: 'merge_report' });
    assert.deepEqual([receipts.length, logged], [1, []]);
  });

  it('is left alone while GitHub is away, wants a rest, or knows nobody, and costs nothing unchanged', async () => {
    const { world } = await watched();
    const looks = () => forge.count(pullRoute);
    const failure = () => watch?.of(world.ticket)?.failure?.code;
    const minutesLeft = () =>
      Math.round(((watch?.of(world.ticket)?.nextAt ?? 0) - world.clock.now()) / minute);
    // The first look shows how it can be merged, the second one reads the comments.
    await later(world);
    const before = forge.answered304;
    await later(world, 2 * minute);
    assert.equal(forge.answered304 - before, 7, 'nothing was read again');
    const reset = String(Math.floor(Date.now() / 1_000) + 2_700);
    for (const [trouble, code, minutes] of [
      [{ status: 502 }, 'FORGE_UNREACHABLE', 2],
      [{ status: 403, headers: { 'retry-after': '1800' } }, 'FORGE_UNREACHABLE', 30],
      [
        { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset } },
        'FORGE_UNREACHABLE',
        45,
      ],
      [{ status: 404 }, 'FORGE_REFUSED', 2],
      [{ status: 401 }, 'FORGE_SIGN_IN', 2],
    ] as const) {
      forge.troubles(pullRoute, trouble);
      const count = looks();
      await later(world, 10 * minute);
      assert.deepEqual([failure(), minutesLeft()], [code, minutes], JSON.stringify(trouble));
      assert.equal(looks() - count, 1, 'it is not tried again');
      watch?.hurry();
      await later(world, minutes * minute);
      assert.equal(failure(), undefined);
    }
    assert.deepEqual(await world.store.inbox(world.ticket, { pending: true }), []);
    assert.equal(logged.length, 5);
    assert.doesNotMatch(logged.join(), new RegExp(forge.token));
  });

  it('is checked less and less often while only the handler fails, and is shown once that is over', async () => {
    const { world } = await watched();
    const entries = async () => (await world.store.inbox(world.ticket)).length;
    const before = await entries();
    repository.checks = [{ name: 'test', status: 'completed', conclusion: 'failure' }];
    const [ofWatch, ofHandler] = [{ delayMs: 0 }, { status: 403 }];
    forge.troubles(pullRoute, ...Array.from({ length: 4 }, () => [ofWatch, ofHandler]).flat());
    for (const minutes of [1, 1, 1, 1, 4]) await later(world, minutes * minute);
    assert.equal((await entries()) - before, 4);
    const failed = () => watch?.of(world.ticket)?.failure?.code;
    assert.equal(failed(), 'FORGE_REFUSED');
    assert.equal(await shown(world), '#1 open');
    await later(world, 30 * minute);
    await later(world, 60 * minute);
    assert.equal(await shown(world), '#1 open, 0 of 1 checks passed, 1 failed');
    assert.equal(failed(), undefined);
  });

  it('counts the newest reviews of those who may decide, however many there are', async () => {
    const { world, pull } = await watched();
    const strangers = Array.from({ length: 1_150 }, (_, index) => ({
      user: `u${String(index)}`,
      state: 'CHANGES_REQUESTED' as const,
      association: 'NONE',
    }));
    pull.reviews = [...strangers, { user: 'eve', state: 'APPROVED' }];
    await later(world);
    assert.equal(await shown(world), '#1 open, approved');
    pull.reviews = [
      ...pull.reviews,
      { user: 'eve', state: 'COMMENTED' },
      { user: 'bob', state: 'CHANGES_REQUESTED' },
    ];
    await later(world);
    assert.equal(await shown(world), '#1 open, changes requested');
    pull.reviews = [...pull.reviews, { user: 'bob', state: 'DISMISSED' }];
    await later(world);
    assert.equal(await shown(world), '#1 open, approved');
  });
});
