import assert from 'node:assert/strict';
import { DisposableStore } from '../../../../src/base/disposable.ts';
import type { TicketDetail, TicketView } from '../../../../src/protocol/api.ts';
import { Board } from '../../../../src/views/tickets/board.ts';
import type { NotificationKind } from '../../../../src/protocol/attention.ts';
import { notifyAttention } from '../../../../src/views/notifications/notifications.ts';
import { FakeClient, ticketView } from '../../../support/fakes/fakeClient.ts';
import { FakeRepositories } from '../../../support/fakes/fakeRepositories.ts';
import { until } from '../../../support/until.ts';

const coding = ticketView({ status: 'CODING', updatedAt: Date.now() });
type Call = readonly [NotificationKind, TicketView];
const calls: readonly Call[] = [
  ['needsYou', { ...coding, status: 'WAITING_PR_REVIEW', needsPerson: true }],
  ['questions', { ...coding, hold: 'question', holdUntil: Date.now() + 60_000, needsPerson: true }],
  ['blocked', { ...coding, status: 'BLOCKED_ERROR', needsPerson: true }],
  ['finished', { ...coding, status: 'COMPLETED' }],
];

describe('What calls for a person', () => {
  let lifetime: DisposableStore;
  const claimed = new Set<string>();
  const muted = new Set<NotificationKind>();
  const failures: unknown[] = [];
  let told: string[] = [];
  let revision = 1;
  let idle = true;
  let seen = false;
  let turns: string[] = [];
  let entered = 'ready';

  beforeEach(() => {
    lifetime = new DisposableStore();
    claimed.clear();
    muted.clear();
    told = [];
    turns = [];
    revision = 1;
    idle = true;
    seen = false;
    entered = 'ready';
  });
  afterEach(() => {
    lifetime.dispose();
    assert.deepEqual(failures, []);
  });

  function open(name: string, mode: 'driver' | 'follower' = 'driver') {
    const client = new FakeClient({ mode });
    const detail = (): TicketDetail => {
      const view = client.views[0] ?? coding;
      const request = view.hold === null ? [] : [{ id: 'request', since: 1 }];
      const hold = request[0] ? { request: request[0] } : null;
      const ticket = { id: view.id, status: view.status, revision, hold, entry: { by: entered, body: null } };
      return { ticket, view, requests: request, idle } as unknown as TicketDetail;
    };
    Object.assign(client, { ticket: () => Promise.resolve(detail()) });
    const repositories = new FakeRepositories();
    const board = lifetime.add(new Board(repositories));
    const teller = {
      wants: (kind: NotificationKind) => !muted.has(kind),
      turn: (drives: boolean) => Promise.resolve(void turns.push(`${name} ${drives ? 'drives' : 'follows'}`)),
      sees: () => seen,
      tell: (_place: unknown, kind: NotificationKind) => Promise.resolve(void told.push(kind)),
      failed: (error: unknown) => void failures.push(error),
    };
    lifetime.add(notifyAttention(board, repositories, teller));
    client.views = [coding];
    repositories.show(client);
    for (const entry of repositories.entries)
      if (entry.kind === 'open')
        entry.repository.claim = (key) =>
          Promise.resolve(claimed.has(key) ? false : (claimed.add(key), true));
    const show = async (view: TicketView): Promise<void> => {
      client.views = [view];
      await board.refresh();
      await settled();
    };
    return { show, board, client };
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  for (const [kind, view] of calls) {
    it(`is told once, over reloads and in two windows: ${kind}`, async () => {
      const windows = [open('one'), open('two', 'follower')];
      for (const window of windows) await window.show(coding);
      await Promise.all(windows.map((window) => window.show(view)));
      for (const window of windows) await window.show(view);
      await until(() => told.length > 0, 'the notification');
      const reloaded = open('one');
      await reloaded.show(view);
      assert.deepEqual(told, [kind]);
      assert.deepEqual(turns.slice(0, 2).toSorted(), ['one drives', 'two follows']);
    });

    it(`isn’t told when it is muted: ${kind}`, async () => {
      muted.add(kind);
      const window = open('one');
      await window.show(coding);
      await window.show(view);
      assert.deepEqual(told, []);
    });
  }

  it('isn’t told while the person has it in front of them, and not in another window then', async () => {
    const [[, view]] = calls as [(typeof calls)[number]];
    const [one, two] = [open('one'), open('two', 'follower')];
    await one.show(coding);
    await two.show(coding);
    seen = true;
    await one.show(view);
    await until(() => claimed.size > 0, 'the window takes it');
    seen = false;
    await two.show(view);
    await one.show(view);
    assert.deepEqual(told, []);
  });

  it('is told when a gate is ready for an answer, and not before', async () => {
    const [[, view]] = calls as [(typeof calls)[number]];
    const window = open('one');
    await window.show(coding);
    idle = false;
    await window.show(view);
    assert.deepEqual(told, []);
    idle = true;
    await window.show(view);
    assert.deepEqual(told, ['needsYou']);
  });

  describe('and is what the person just did in a window', () => {
    const [[, review], , [, block], [, done]] = calls as [Call, Call, Call, Call];

    for (const [what, kind, by, view] of [
      ['a merge', 'merge', 'cleaned', done],
      ['a retry at a gate', 'retry', 'retry', review],
      ['skipping all questions', 'skip', 'skip_all', { ...review, status: 'WAITING_INTERVIEW_APPROVAL' }],
    ] as const)
      it(`isn’t told there, and not in another one: ${what}`, async () => {
        const [one, two] = [open('one'), open('two', 'follower')];
        for (const window of [one, two]) await window.show(coding);
        await one.client.act('TST-1', kind, {});
        entered = by;
        await one.show({ ...view, updatedAt: Date.now() });
        await until(() => claimed.size > 0, 'the window takes it');
        await two.show({ ...view, updatedAt: Date.now() });
        assert.deepEqual(told, []);
      });

    it('is told in another window if nobody saw it where it was done', async () => {
      const [one, two] = [open('one'), open('two', 'follower')];
      for (const window of [one, two]) await window.show(coding);
      await one.client.act('TST-1', 'merge', {});
      entered = 'cleaned';
      await two.show({ ...done, updatedAt: Date.now() });
      assert.deepEqual(told, ['finished']);
    });

    it('is told when work came between, or what they did went wrong', async () => {
      const window = open('one');
      await window.show(coding);
      await window.client.act('TST-1', 'approve', {} as never);
      await window.show({ ...review, updatedAt: Date.now() });
      await window.client.act('TST-1', 'merge', {});
      entered = 'merge';
      revision = 2;
      await window.show({ ...block, updatedAt: Date.now() });
      assert.deepEqual(told, ['needsYou', 'blocked']);
    });
  });

  it('is told again when it happens again', async () => {
    const window = open('one');
    const [[, view]] = calls as [(typeof calls)[number]];
    for (revision = 1; revision <= 2; revision++) {
      await window.show(coding);
      await window.show(view);
    }
    assert.deepEqual(told, ['needsYou', 'needsYou']);
  });
});
