import assert from 'node:assert/strict';
import { DisposableStore } from '../../../../src/base/disposable.ts';
import type { TicketDetail, TicketView } from '../../../../src/protocol/api.ts';
import { Board } from '../../../../src/views/tickets/board.ts';
import type { NoticeKind } from '../../../../src/views/notices/attention.ts';
import { notifyAttention } from '../../../../src/views/notices/notices.ts';
import { FakeClient, ticketView } from '../../../support/fakes/fakeClient.ts';
import { FakeRepositories } from '../../../support/fakes/fakeRepositories.ts';
import { until } from '../../../support/until.ts';

const coding = ticketView({ status: 'CODING', updatedAt: Date.now() });
const calls: readonly (readonly [NoticeKind, TicketView])[] = [
  ['needsYou', { ...coding, status: 'WAITING_PR_REVIEW', needsPerson: true }],
  ['questions', { ...coding, hold: 'question', holdUntil: Date.now() + 60_000, needsPerson: true }],
  ['blocked', { ...coding, status: 'BLOCKED_ERROR', needsPerson: true }],
  ['finished', { ...coding, status: 'COMPLETED' }],
];

describe('What calls for a person', () => {
  let lifetime: DisposableStore;
  const claimed = new Set<string>();
  const muted = new Set<NoticeKind>();
  const failures: unknown[] = [];
  let told: string[] = [];
  let revision = 1;
  let idle = true;
  let seen = false;
  let turns: string[] = [];

  beforeEach(() => {
    lifetime = new DisposableStore();
    claimed.clear();
    muted.clear();
    told = [];
    turns = [];
    revision = 1;
    idle = true;
    seen = false;
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
      const ticket = { id: view.id, revision, hold: request[0] ? { request: request[0] } : null };
      return { ticket, view, requests: request, idle } as unknown as TicketDetail;
    };
    Object.assign(client, { ticket: () => Promise.resolve(detail()) });
    const repositories = new FakeRepositories();
    const board = lifetime.add(new Board(repositories));
    const teller = {
      wants: (kind: NoticeKind) => !muted.has(kind),
      turn: (drives: boolean) => Promise.resolve(void turns.push(`${name} ${drives ? 'drives' : 'follows'}`)),
      sees: () => seen,
      tell: (_place: unknown, kind: NoticeKind) => Promise.resolve(void told.push(kind)),
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
    return { show, board };
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  for (const [kind, view] of calls) {
    it(`is told once, over reloads and in two windows: ${kind}`, async () => {
      const windows = [open('one'), open('two', 'follower')];
      for (const window of windows) await window.show(coding);
      await Promise.all(windows.map((window) => window.show(view)));
      for (const window of windows) await window.show(view);
      await until(() => told.length > 0, 'the notice');
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
