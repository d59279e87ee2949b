import assert from 'node:assert/strict';
import { ForgeWatch } from '../../../src/app/forgeWatch.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import { BeadsmithError, errorRecord } from '../../../src/domain/core/errors.ts';
import type { TicketEvent } from '../../../src/domain/core/events.ts';
import type { ForgeLook, ForgeState } from '../../../src/domain/forge/forgeLook.ts';
import type { IssueOrigin } from '../../../src/domain/forge/issue.ts';
import type { IssueState } from '../../../src/domain/forge/issueLink.ts';
import type { InboxEntry } from '../../../src/domain/ticket/inbox.ts';
import type { Forges } from '../../../src/engine/ports/ports.ts';
import type { Store } from '../../../src/engine/ports/storePort.ts';
import { FakeClock } from '../../support/fakes/fakeClock.ts';
import { type ForgeThreads, threadCount } from '../../../src/domain/forge/forgeThread.ts';
import { forgeState } from '../../support/forge/forgeState.ts';

const [minute, day] = [60_000, 24 * 3_600_000];

const noThreads = {
  schema_version: 1 as const,
  repository: 'github.com/octo/sample',
  number: 7,
  left: 0,
  threads: [],
} satisfies ForgeThreads;

describe('the watch of pull requests', () => {
  let clock: FakeClock;
  let events: Emitter<TicketEvent>;
  let watch: ForgeWatch;
  /** What the forge answers, and when it was asked. */
  let answer: () => ForgeLook;
  let asked: number[];
  let posted: string[];
  let logged: string[];
  let isOn: boolean;
  let published: boolean;
  /** What the handler makes of an entry. */
  let handled: () => Pick<InboxEntry, 'state' | 'outcome'>;
  let known: ForgeState;
  let origin: IssueOrigin | undefined;
  let issue: () => IssueState;

  beforeEach(async () => {
    clock = new FakeClock();
    events = new Emitter();
    [asked, posted, logged] = [[], [], []];
    isOn = true;
    published = true;
    handled = () => ({ state: 'consumed', outcome: null });
    known = forgeState();
    origin = undefined;
    issue = () => 'open';
    const entries: (Pick<InboxEntry, 'id' | 'state' | 'outcome'> & { readonly kind: string })[] = [];
    answer = () => forgeState();
    const filed = {
      schema_version: 1,
      forge: 'github',
      repository: forgeState().repository,
      remote: 'origin',
      branch: 'ticket/TST-1',
      pushed: [],
      number: 7,
      location: null,
      request: null,
    };
    const summary = { id: 'TST-1', status: 'WAITING_PR_REVIEW', hold: null, beadsDone: 0 };
    const store = {
      active: async () => ['TST-1', 'TST-2'],
      summaries: async (ids: readonly string[]) =>
        ids.map((id) => ({ ...summary, id, published: published && id === 'TST-1' })),
      artifact: async () => ({ content: JSON.stringify(filed) }),
      ticket: async () => ({ origin, forge: { ...known, threads: threadCount(noThreads) } }),
      inbox: async (_ticket: string, { pending = false } = {}) =>
        entries.filter(({ state }) => !pending || state === 'pending'),
      post: async ({ id, ticket, kind }: { id: string; ticket: string; kind: string }) => {
        posted.push(`${ticket} ${kind}`);
        entries.push({ id, kind, ...handled() });
      },
    } as unknown as Store;
    const start = clock.now();
    const look = async () => {
      asked.push((clock.now() - start) / minute);
      return { look: answer(), memory: new Map() };
    };
    const base = { remote: 'origin', host: 'github.com', api: '', owner: 'octo', name: 'sample' };
    const threads = async () => ({ threads: noThreads, memory: new Map() });
    const issueState = async () => ({ state: issue(), memory: new Map() });
    const forges = {
      at: async () => ({ place: { base, head: base }, look, threads, issueState }),
    } as unknown as Forges;
    const log = (line: string) => logged.push(line);
    watch = new ForgeWatch({ store, events, forges, clock, isOn: () => isOn, log });
  });
  afterEach(() => watch.stop());

  async function started(): Promise<void> {
    await watch.start(() => true);
    await clock.advance(1_000);
  }

  function away(diagnostics: Readonly<Record<string, unknown>> = {}): () => never {
    return () => {
      throw new BeadsmithError(
        'FORGE_UNREACHABLE',
        { host: 'github.com', reason: 'no network.' },
        { diagnostics },
      );
    };
  }

  const waiting: TicketEvent = {
    type: 'waiting',
    ticket: 'TST-1',
    at: 0,
    status: 'WAITING_PR_REVIEW',
    kinds: [],
  };
  const told = (state: number): ReadonlyMap<string, number> => new Map([['TST-1', state]]);

  it('looks less often while nothing changes, ten minutes apart at most, and says when', async () => {
    await started();
    await clock.advance(60 * minute);
    const pauses = asked.slice(1).map((at, index) => Math.round((at - (asked[index] ?? 0)) * 10) / 10);
    assert.deepEqual(pauses.slice(0, 4), [1, 1.5, 2.3, 3.4]);
    assert.equal(pauses.at(-1), 10);
    const { nextAt = 0, failure } = watch.of('TST-1') ?? {};
    assert.ok(nextAt > clock.now() && nextAt <= clock.now() + 10 * minute);
    assert.equal(failure, undefined);
    assert.equal(watch.of('TST-2'), undefined);
    assert.deepEqual(posted, []);
  });

  it('costs nearly nothing while the forge is away for a day: it looks every hour, and logs that once', async () => {
    answer = away();
    await started();
    await clock.advance(day);
    assert.ok(asked.length < 32, String(asked.length));
    assert.deepEqual(logged, [
      "TST-1: the pull request can't be checked. github.com can't be reached: no network.",
    ]);
    assert.deepEqual(posted, []);
    assert.equal(watch.of('TST-1')?.failure?.code, 'FORGE_UNREACHABLE');
    answer = () => ({ ...forgeState(), state: 'closed' });
    watch.hurry();
    await clock.advance(1_000);
    assert.deepEqual(posted, ['TST-1 check_pull_request']);
    assert.equal(watch.of('TST-1')?.failure, undefined);
  });

  it('is in a hurry when a person comes back, but not again and again, nor when the forge wants a rest', async () => {
    await started();
    for (let index = 0; index < 5; index += 1) {
      watch.hurry();
      await clock.advance(1_000);
    }
    assert.equal(asked.length, 1);
    await clock.advance(10_000);
    assert.equal(asked.length, 2);
    answer = away({ waitMs: 30 * minute });
    await clock.advance(1.5 * minute);
    assert.equal(asked.length, 3);
    watch.hurry();
    await clock.advance(28 * minute);
    assert.equal(asked.length, 3);
    await clock.advance(2 * minute);
    assert.equal(asked.length, 4);
  });

  it('has the ticket checked when its issue changes, and not because it can’t be seen', async () => {
    origin = { kind: 'issue', host: 'github.com', owner: 'octo', name: 'sample', number: 7, url: '' };
    known = { ...known, issue: 'open' };
    await started();
    assert.deepEqual(posted, []);
    issue = away();
    await clock.advance(2 * minute);
    assert.deepEqual([posted, watch.of('TST-1')?.failure], [[], undefined]);
    issue = () => 'closed';
    await clock.advance(5 * minute);
    assert.equal(posted[0], 'TST-1 check_pull_request');
  });

  it('follows the tickets that it is told, and lets go of the others', async () => {
    watch.follow(told(1));
    await clock.advance(1_000);
    assert.deepEqual([asked.length, posted], [1, []]);
    // Told again and again, it looks no more often.
    for (let index = 0; index < 5; index += 1) watch.follow(told(1));
    await clock.advance(1_000);
    assert.equal(asked.length, 1);
    watch.follow(new Map());
    await clock.advance(10 * minute);
    assert.equal(asked.length, 1);
    watch.follow(told(1));
    await clock.advance(1_000);
    assert.deepEqual([asked.length, posted], [2, ['TST-1 check_pull_request']]);
  });

  it('looks more often again once something was done to a ticket that it follows', async () => {
    watch.follow(told(1));
    await clock.advance(60 * minute);
    const quiet = asked.length;
    await clock.advance(4 * minute);
    assert.ok(asked.length <= quiet + 1);
    const before = asked.length;
    watch.follow(told(2));
    await clock.advance(2.5 * minute);
    assert.ok(asked.length >= before + 2, String(asked.length - before));
  });

  it('asks nothing while it is off, and continues once it is on', async () => {
    isOn = false;
    await started();
    await clock.advance(10 * minute);
    assert.deepEqual(asked, []);
    assert.equal(watch.of('TST-1'), undefined);
    isOn = true;
    await clock.advance(minute);
    assert.equal(asked.length, 1);
  });

  it('has a ticket checked that comes back to its review, and forgets one that leaves it', async () => {
    published = false;
    await started();
    assert.deepEqual(asked, []);
    published = true;
    events.emit(waiting);
    await clock.advance(1_000);
    assert.deepEqual(posted, ['TST-1 check_pull_request']);
    published = false;
    events.emit({
      type: 'status',
      ticket: 'TST-1',
      at: 0,
      from: 'WAITING_PR_REVIEW',
      to: 'CODING',
      by: 'changes',
    });
    await clock.advance(10 * minute);
    assert.equal(asked.length, 1);
  });

  it('looks only at tickets that its process drives', async () => {
    await watch.start((ticket) => ticket !== 'TST-1');
    events.emit(waiting);
    await clock.advance(10 * minute);
    assert.deepEqual(asked, []);
  });

  it('has the check of a change repeated less and less often if only the handler fails, and says why', async () => {
    const refusal = new BeadsmithError('FORGE_REFUSED', {
      host: 'github.com',
      reason: 'no right to read checks.',
      remedy: 'Fix the cause, then try again.',
    });
    const { code, message } = refusal;
    handled = () => ({ state: 'refused', outcome: { code, message, error: errorRecord(refusal) } });
    answer = () => ({ ...forgeState(), review: 'approved' });
    await started();
    for (let hour = 0; hour < 24; hour += 1) {
      events.emit(waiting);
      await clock.advance(60 * minute);
    }
    assert.ok(posted.length < 32, String(posted.length));
    assert.ok(posted.length > 20, String(posted.length));
    assert.deepEqual(logged, [`TST-1: the pull request can't be checked. ${message}`]);
    assert.equal(watch.of('TST-1')?.failure?.message, message);
    handled = () => ({ state: 'consumed', outcome: null });
    watch.hurry();
    await clock.advance(minute);
    known = { ...known, ...answer() };
    const count = posted.length;
    await clock.advance(day);
    assert.equal(posted.length, count);
    assert.equal(watch.of('TST-1')?.failure, undefined);
  });

  it('has one that changes to and fro checked less and less often, and soon again after some quiet hours', async () => {
    let count = 0;
    answer = () => ({ ...forgeState(), review: ++count % 2 === 0 ? 'approved' : 'changes_requested' });
    await started();
    const minutes = async (count: number): Promise<void> => {
      for (let passed = 0; passed < count; passed += 1) {
        await clock.advance(minute);
        events.emit(waiting);
      }
    };
    await minutes(15);
    assert.ok(posted.length >= 15, 'what is seldom is filed at once');
    await minutes(24 * 60);
    assert.ok(posted.length < 200, String(posted.length));
    answer = () => known;
    await clock.advance(4 * 60 * minute);
    const before = posted.length;
    answer = () => ({ ...forgeState(), state: 'closed' });
    await clock.advance(11 * minute);
    assert.ok(posted.length > before, 'it is seen within the usual time');
  });

  it('leaves the forge alone for as long as the handler was told', async () => {
    const diagnostics = { waitMs: 30 * minute };
    const refusal = new BeadsmithError('FORGE_UNREACHABLE', { host: 'a', reason: 'b' }, { diagnostics });
    const { code, message } = refusal;
    handled = () => ({ state: 'refused', outcome: { code, message, error: errorRecord(refusal) } });
    answer = () => ({ ...forgeState(), review: 'approved' });
    await started();
    assert.equal(posted.length, 1);
    await clock.advance(30 * minute);
    assert.equal(posted.length, 1);
    await clock.advance(2 * minute);
    assert.equal(posted.length, 2);
  });

  it('files red checks that stay as they are once more', async () => {
    const checks = { passed: 0, failed: 1, pending: 0, failing: ['test'], failedRuns: [1] };
    known = { ...known, checks };
    answer = () => ({ ...forgeState(), checks });
    await started();
    await clock.advance(14 * minute);
    assert.deepEqual(posted, []);
    await clock.advance(day);
    assert.deepEqual(posted, ['TST-1 check_pull_request']);
  });
});
