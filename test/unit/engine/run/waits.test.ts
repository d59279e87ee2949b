import assert from 'node:assert/strict';
import * as z from 'zod';
import type { StoreClient } from '../../../../src/app/storeClient.ts';
import { RequestDecision, type PendingRequest } from '../../../../src/domain/ticket/agentRequest.ts';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import type { Engine } from '../../../../src/engine/drive/engine.ts';
import type { StepIo } from '../../../../src/engine/run/run.ts';
import type { Behaviour } from '../../../../src/engine/drive/runner.ts';
import { behaviourOf, EngineWorld, stay } from '../../../support/engine/engineWorld.ts';
import { tempStores } from '../../../support/engine/tempStore.ts';
import { testClient } from '../../../support/engine/testClient.ts';
import { until } from '../../../support/until.ts';

const question = { header: 'Format', text: 'CSV or JSON?', options: [], multiple: false, custom: true };
const asked = { asked: 'que_1', content: { kind: 'question' as const, questions: [question] } };
const permission = {
  asked: 'per_1',
  content: { kind: 'permission' as const, permission: 'bash', patterns: ['rm *'], command: 'rm -rf x' },
};
const Result = RequestDecision.or(z.literal('withdrawn'));

describe('A request of an agent', () => {
  let world: EngineWorld;
  let id: string;
  const decisions: unknown[] = [];
  const stores = tempStores();
  beforeEach(async () => {
    world = new EngineWorld(stores());
    id = (await world.ticket()).id;
    decisions.length = 0;
  });

  const start = (behaviour: Behaviour, ticket = id): Engine => {
    const engine = world.start(behaviour);
    engine.drive(ticket);
    return engine;
  };
  const asking = (work: (io: StepIo) => Promise<RequestDecision | undefined>) =>
    behaviourOf({
      scanRelevantFiles: {
        version: 1,
        run: async (run) => {
          const decision = await run.step('call', Result, (io) => ended(io, work), { activeMs: 10_000 });
          decisions.push(decision);
          return { exit: 'ready' };
        },
      },
      draftInterview: stay,
    });
  /** As with a real agent. */
  const ended = async (io: StepIo, work: (io: StepIo) => Promise<RequestDecision | undefined>) => {
    const decision = await work(io);
    io.signal.throwIfAborted();
    return decision ?? 'withdrawn';
  };
  const options = (withdrawn = new AbortController().signal) => ({
    source: 'demo/main',
    windowMs: 300_000,
    withdrawn,
  });
  const open = async (): Promise<PendingRequest> => {
    await until(async () => (await world.read(id)).hold?.request !== undefined, 'the request');
    const request = (await world.read(id)).hold?.request;
    assert.ok(request);
    return request;
  };
  const decided = () => until(() => decisions.length > 0, 'the decision');

  it('holds the ticket for every window to see, takes the answer once, and refuses what comes beside it', async () => {
    const engine = start(asking((io) => io.ask(asked, options())));
    const request = await open();
    const detail = await testClient(world.store).ticket(id);
    assert.deepEqual(
      [detail.view.hold, detail.view.column, detail.view.needsPerson, detail.idle],
      ['question', 'Needs Input', true, true],
    );
    assert.deepEqual(detail.requests, [request]);
    assert.equal(detail.view.holdUntil, request.since + 300_000);
    assert.equal(detail.view.actions.includes('question_reply'), true);
    assert.equal(detail.view.actions.includes('permission_reply'), false);
    assert.equal(detail.view.actions.includes('resume'), false);
    const wrong = await world.post(id, 'question_reply', { request: 'another', answers: [['XML']] });
    const right = await world.post(id, 'question_reply', { request: request.id, answers: [['JSON']] });
    await decided();
    assert.deepEqual(decisions, [{ kind: 'answers', answers: [['JSON']] }]);
    await engine.stop();
    const states = (await world.store.inbox(id)).map((entry) => [entry.id, entry.state, entry.outcome?.code]);
    assert.deepEqual(states, [
      [wrong, 'refused', 'REQUEST_GONE'],
      [right, 'consumed', undefined],
    ]);
    assert.equal((await world.read(id)).hold, null);
  });

  it('is left to the agent when a person says so, and when nobody does within the window', async () => {
    start(asking((io) => io.ask(asked, options())));
    await world.post(id, 'question_reply', { request: (await open()).id, answers: null });
    await decided();
    assert.deepEqual(decisions, [{ kind: 'none' }]);
    const other = (await world.ticket()).id;
    await until(async () => (await world.read(other)).hold !== null, 'the other request');
    await world.clock.advance(299_000);
    assert.equal(decisions.length, 1);
    await world.clock.advance(2_000);
    await until(() => decisions.length === 2, 'the end of the window');
    assert.deepEqual(decisions[1], { kind: 'none' });
  });

  it('waits over any number of windows where only a person ends it', async () => {
    start(asking((io) => io.ask(asked, { ...options(), waitsForPerson: true })));
    const { id: request, until: first } = await open();
    await world.clock.advance(1_000_000);
    assert.equal(decisions.length, 0);
    const moved = (await open()).until;
    assert.ok(moved > first && moved > world.clock.now(), 'a shown end is never past');
    await world.post(id, 'question_reply', { request, answers: [['JSON']] });
    await decided();
    assert.deepEqual(decisions, [{ kind: 'answers', answers: [['JSON']] }]);
  });

  it('allows or denies as a person decides', async () => {
    for (const allow of [true, false]) {
      const ticket = (await world.ticket()).id;
      const behaviour = asking((io) =>
        io.ticket === ticket ? io.ask(permission, options()) : Promise.resolve(undefined),
      );
      const engine = start(behaviour, ticket);
      await until(async () => (await world.read(ticket)).hold?.kind === 'permission', 'the request');
      await world.post(ticket, 'permission_reply', {
        request: (await world.read(ticket)).hold?.request?.id ?? '',
        allow,
      });
      await until(
        () => decisions.some((one) => JSON.stringify(one).includes(allow ? 'allow' : 'deny')),
        'the decision',
      );
      await engine.stop();
    }
  });

  it('is never allowed while a part of it is missing, but can be denied', async () => {
    const cut = { ...permission, content: { ...permission.content, cut: true as const } };
    const engine = start(asking((io) => io.ask(cut, options())));
    await until(async () => (await world.read(id)).hold?.kind === 'permission', 'the request');
    const request = (await world.read(id)).hold?.request?.id ?? '';
    const refused = (error: unknown) => error instanceof BeadsmithError && error.code === 'REQUEST_CUT';
    await assert.rejects(
      testClient(world.store).act(id, 'permission_reply', { request, allow: true }),
      refused,
    );
    await world.post(id, 'permission_reply', { request, allow: true });
    await world.post(id, 'permission_reply', { request, allow: false });
    await until(() => decisions.length > 0, 'the decision');
    assert.deepEqual(decisions, [{ kind: 'deny' }]);
    await engine.stop();
  });

  it('outlives the process: it stays shown, an answer that comes meanwhile counts, and the window continues', async () => {
    const behaviour = asking((io) => io.ask(asked, options()));
    start(behaviour);
    const before = await open();
    world.crash();
    await world.clock.advance(60_000);
    assert.deepEqual((await world.read(id)).hold?.request, before);
    await world.post(id, 'question_reply', { request: before.id, answers: [['CSV']] });
    start(behaviour);
    await decided();
    assert.deepEqual(decisions, [{ kind: 'answers', answers: [['CSV']] }]);
  });

  it('is asked again after a crash with what remains of the window', async () => {
    const behaviour = asking((io) => io.ask(asked, options()));
    start(behaviour);
    const before = await open();
    world.crash();
    await world.clock.advance(200_000);
    start(behaviour);
    await until(
      async () =>
        (await world.store.journal(id)).filter((row) => row.entry.kind === 'step.note').length === 2,
      'asking again',
    );
    assert.deepEqual((await world.read(id)).hold?.request, before);
    await world.clock.advance(101_000);
    await decided();
    assert.deepEqual(decisions, [{ kind: 'none' }]);
  });

  for (const [what, byMs] of [
    ['the machine sleeps for a night', 10 * 3_600_000],
    ['its clock is set back', -5 * 3_600_000],
  ] as const)
    it(`keeps its window when ${what}`, async () => {
      const engine = start(asking((io) => io.ask(asked, options())));
      const before = await open();
      await world.clock.advance(60_000);
      world.clock.set(byMs);
      await world.clock.advance(120_000);
      assert.deepEqual(decisions, []);
      const left = (await open()).until - world.clock.now();
      assert.ok(Math.abs(left - (before.until - before.since - 180_000)) < 5_000, `${String(left)} ms left`);
      await world.clock.advance(130_000);
      await decided();
      assert.deepEqual(decisions, [{ kind: 'none' }]);
      await engine.stop();
    });

  it('that ran out while nobody drove is asked again with its whole window', async () => {
    const first = start(asking((io) => io.ask(asked, options())));
    await open();
    await first.stop();
    world.clock.set(10 * 3_600_000);
    const engine = start(asking((io) => io.ask(asked, options())));
    await until(
      async () => ((await world.read(id)).hold?.request?.until ?? 0) > world.clock.now(),
      'it is asked again',
    );
    assert.deepEqual(decisions, []);
    await engine.stop();
  });

  it('that was decided isn’t asked again when the process dies before the agent has heard of it', async () => {
    let heard = 0;
    const behaviour = asking(async (io) => {
      const decision = await io.ask(permission, options());
      if (++heard === 1) return new Promise<never>(() => undefined);
      return decision;
    });
    start(behaviour);
    await world.post(id, 'permission_reply', { request: (await open()).id, allow: true });
    await until(() => heard === 1, 'the decision');
    world.crash();
    start(behaviour);
    await decided();
    assert.deepEqual(decisions, [{ kind: 'allow' }]);
  });

  it('stays what the ticket shows while another branch waits for its provider, and that wait is shown again afterwards', async () => {
    const engine = start(
      behaviourOf({
        scanRelevantFiles: {
          version: 1,
          run: async (run) => {
            const wait = (io: StepIo) =>
              io.hold({ id: 'w', kind: 'quota', until: world.clock.now() + 60_000, detail: 'slow down' });
            await run.all({
              asks: (branch) =>
                branch.step('ask', Result, (io) => ended(io, (at) => at.ask(asked, options())), {}),
              waits: (branch) => branch.step('wait', z.null(), async (io) => (await wait(io), null)),
            });
            return { exit: 'ready' };
          },
        },
        draftInterview: stay,
      }),
    );
    const request = await open();
    await until(
      async () =>
        (await world.store.steps((await world.store.runs(id))[0]?.id ?? '')).every(
          ({ notes }) => notes.length > 0,
        ),
      'both wait',
    );
    assert.equal((await world.read(id)).hold?.request?.id, request.id);
    await testClient(world.store).act(id, 'question_reply', { request: request.id, answers: [['CSV']] });
    await until(async () => (await world.read(id)).hold?.kind === 'quota', 'the wait is shown');
    await engine.stop();
  });

  it('is withdrawn when the agent no longer waits', async () => {
    const gone = new AbortController();
    start(asking((io) => io.ask(asked, options(gone.signal))));
    await open();
    gone.abort();
    await decided();
    assert.deepEqual(decisions, ['withdrawn']);
    assert.equal((await world.read(id)).hold, null);
  });

  it('that a killed process left, and that isn’t asked again, holds the ticket no longer', async () => {
    start(asking((io) => io.ask(asked, options())));
    await open();
    world.crash();
    const answeredMeanwhile = behaviourOf({
      scanRelevantFiles: {
        version: 1,
        run: async (run) => {
          await run.step('call', Result, () => Promise.resolve({ kind: 'none' as const }));
          await run.wait('gate', ['merge']);
          return { exit: 'ready' };
        },
      },
    });
    const engine = start(answeredMeanwhile);
    await until(async () => (await world.read(id)).hold === null, 'the end of the hold');
    assert.equal((await world.read(id)).status, 'SCANNING_RELEVANT_FILES');
    await engine.stop();
  });

  it('gives way to a pause, and to a cancel', async () => {
    const behaviour = asking((io) => io.ask(asked, options()));
    const engine = start(behaviour);
    await open();
    await world.post(id, 'pause', {});
    await until(async () => (await world.read(id)).hold?.kind === 'paused', 'the pause');
    await world.post(id, 'resume', {});
    await open();
    await world.post(id, 'cancel', { reason: '', deleteWorktree: false });
    await until(async () => (await world.read(id)).status === 'CANCELED', 'the cancel');
    assert.equal((await world.read(id)).hold, null);
    await engine.stop();
  });

  it('takes only answers that fit', async () => {
    const engine = start(asking((io) => io.ask(asked, options())));
    const request = (await open()).id;
    const client: StoreClient = testClient(world.store);
    const refused = (code: string) => (error: unknown) =>
      error instanceof BeadsmithError && error.code === code;
    await assert.rejects(
      client.act(id, 'question_reply', { request: 'old', answers: null }),
      refused('REQUEST_GONE'),
    );
    await assert.rejects(
      client.act(id, 'question_reply', { request, answers: [] }),
      refused('INVALID_INPUT'),
    );
    await assert.rejects(
      client.act(id, 'question_reply', { request, answers: [[' ']] }),
      refused('INVALID_INPUT'),
    );
    await assert.rejects(
      client.act(id, 'permission_reply', { request, allow: true }),
      refused('ACTION_NOT_ALLOWED'),
    );
    await client.act(id, 'question_reply', { request, answers: [['CSV']] });
    await decided();
    await engine.stop();
  });
});

const hour = 3_600_000;

describe('a wait for a provider', () => {
  const stores = tempStores();
  let world: EngineWorld;
  let id: string;
  let engine: Engine;
  beforeEach(async () => {
    world = new EngineWorld(stores());
    id = (await world.ticket()).id;
    engine = start();
    await held();
  });
  afterEach(() => engine.stop());

  const waiting = behaviourOf({
    scanRelevantFiles: {
      version: 1,
      run: async (run) => {
        await run.step('call', z.null(), async (io) => {
          await io.hold({
            id: 'w',
            kind: 'quota',
            until: world.clock.now() + 4 * hour,
            detail: 'come back later',
          });
          return null;
        });
        return { exit: 'ready' };
      },
    },
    draftInterview: stay,
  });
  const start = (): Engine => {
    const started = world.start(waiting);
    started.drive(id);
    return started;
  };
  const held = () => until(async () => (await world.read(id)).hold?.kind === 'quota', 'the ticket is held');
  const over = () =>
    until(async () => (await world.read(id)).status === 'COUNCIL_DELIBERATING', 'the wait is over');
  const chosen = (at: number) =>
    until(async () => (await world.read(id)).hold?.until === at, 'the time is shown');

  for (const [what, hours] of [
    ['earlier', 1],
    ['later', 9],
  ] as const)
    it(`ends at a time that a person chose, ${what} than the provider’s, in this process and in the next`, async () => {
      const at = world.clock.now() + hours * hour;
      await testClient(world.store).act(id, 'resume', { at });
      await chosen(at);
      assert.equal((await world.read(id)).hold?.detail, 'come back later');
      await engine.stop();
      engine = start();
      await world.clock.advance(hours * hour - 60_000);
      assert.equal((await world.read(id)).hold?.until, at);
      await world.clock.advance(60_000);
      await over();
      assert.equal((await world.read(id)).hold, null);
    });

  it('ends at once for a time that has passed, and for none', async () => {
    await testClient(world.store).act(id, 'resume', { at: world.clock.now() - 1 });
    await over();
  });

  it('can be ended although a time was chosen', async () => {
    const at = world.clock.now() + hour;
    await testClient(world.store).act(id, 'resume', { at });
    await chosen(at);
    await testClient(world.store).act(id, 'resume', {});
    await over();
  });

  it('is the only hold that ends at a time', async () => {
    await testClient(world.store).act(id, 'pause', {});
    await until(async () => (await world.read(id)).hold?.kind === 'paused', 'it is paused');
    const entry = await world.post(id, 'resume', { at: world.clock.now() + hour });
    await until(
      async () => (await world.store.inbox(id)).find((one) => one.id === entry)?.outcome !== null,
      'it is refused',
    );
    assert.equal(
      (await world.store.inbox(id)).find((one) => one.id === entry)?.outcome?.code,
      'INVALID_INPUT',
    );
    assert.equal((await world.read(id)).hold?.kind, 'paused');
  });
});
