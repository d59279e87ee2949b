import assert from 'node:assert/strict';
import * as z from 'zod';
import { EventBus } from '../../../../src/app/eventBus.ts';
import { DrivenApp } from '../../../../src/app/app.ts';
import { type AppHolder, driveToStop } from '../../../../src/cli/drive/driveToStop.ts';
import { askAPerson, type GatePolicy, parseGates } from '../../../../src/cli/drive/gatePolicy.ts';
import type { Output } from '../../../../src/cli/base/output.ts';
import { Limits, Settings } from '../../../../src/domain/settings/settings.ts';
import type { Behaviour } from '../../../../src/engine/drive/runner.ts';
import type { HandlerDefinition } from '../../../../src/engine/run/run.ts';
import { askChoice } from '../../../../src/phases/shared/ticket/askChoice.ts';
import type { CliEvent } from '../../../../src/protocol/cliEvents.ts';
import { behaviourOf, EngineWorld, stay } from '../../../support/engine/engineWorld.ts';
import { moveTicket } from '../../../support/engine/moveTicket.ts';
import { tempStores } from '../../../support/engine/tempStore.ts';
import { testClient } from '../../../support/engine/testClient.ts';
import { until } from '../../../support/until.ts';

const start = { settings: Settings.parse({ mainImplementer: 'tiny/one' }), limits: Limits.parse({}) };

/** Gates that wait for their approval, as the real ones do; everything else passes. */
const gated = behaviourOf({
  draft: gate('start', 'start'),
  interview: gate('skip', 'skip_all'),
  approve: gate('approve', 'approve'),
  review: gate('close', 'close'),
});

describe('driveToStop', () => {
  const makeStore = tempStores();
  const opened: DrivenApp[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((app) => app.dispose())));

  function world(behaviour: Behaviour = gated) {
    const bus = new EventBus();
    const engineWorld = new EngineWorld(makeStore(), { events: bus });
    const client = testClient(engineWorld.store, bus);
    const events: CliEvent[] = [];
    const output: Output = {
      event: (event) => events.push(event),
      text: () => undefined,
      close: () => undefined,
    };
    let driverIsGone = false;
    const open = (mode: 'driver' | 'follower') => {
      const app = new DrivenApp({
        client,
        mode,
        repository: {
          root: '/sample',
          commonDir: '/sample/.git',
          hasCommits: true,
          headBranch: 'main',
          headCommit: null,
          dirty: 0,
        },
        ports: engineWorld.ports,
        behaviour,
        codingTickets: 1,
        driverIsGone: () => Promise.resolve(driverIsGone),
        onDidChangeState: () => ({ dispose: () => undefined }),
        hurry: () => undefined,
        onDispose: [],
      });
      opened.push(app);
      return app;
    };
    const stop = new AbortController();
    const drive = async (holder: AppHolder, ticket: string, policy: Partial<GatePolicy> = {}) =>
      driveToStop(holder, ticket, { policy: { ...askAPerson, ...policy }, signal: stop.signal, output });
    const setGone = (): void => void (driverIsGone = true);
    return { engineWorld, client, events, open, drive, stop, setGone };
  }

  async function started(w: ReturnType<typeof world>): Promise<string> {
    const { id } = await w.client.create({ title: 'A ticket' });
    await w.client.act(id, 'start', start);
    return id;
  }

  async function driven(behaviour?: Behaviour) {
    const w = world(behaviour);
    const id = await started(w);
    const app = w.open('driver');
    await app.start([id]);
    return { w, id, holder: holderOf(app) };
  }

  it('stops at the first gate when nothing is covered', async () => {
    const { w, id, holder } = await driven();
    const stop = await w.drive(holder, id);
    assert.equal(stop?.ticket.status, 'WAITING_INTERVIEW_ANSWERS');
  });

  it('goes as far as the policy reaches, and no further', async () => {
    const w = world();
    const id = await started(w);
    const app = w.open('driver');
    for (const artifact of ['interview', 'prd', 'execution_setup_plan'] as const)
      await w.engineWorld.store.commit({
        ticket: id,
        journal: [],
        changes: [{ type: 'artifact', artifact, content: artifact, status: 'DRAFT', attempt: 1 }],
      });
    await app.start([id]);
    const at = await w.drive(holderOf(app), id, { approve: parseGates('interview-answers,interview,prd') });
    assert.equal(at?.ticket.status, 'WAITING_BEADS_APPROVAL');
    const end = await w.drive(holderOf(app), id, { approve: parseGates('all') });
    assert.equal(end?.ticket.status, 'COMPLETED');
    assert.deepEqual(
      w.events.flatMap((event) => (event.type === 'posted' ? [event.action] : [])),
      ['skip', 'approve', 'approve', 'approve', 'approve', 'close'],
    );
  });

  it('says where a ticket blocked', async () => {
    const { w, id, holder } = await driven(
      behaviourOf({
        draft: gate('start', 'start'),
        scanRelevantFiles: { version: 1, run: () => Promise.reject(new Error('no luck')) },
      }),
    );
    const stop = await w.drive(holder, id);
    assert.deepEqual([stop?.ticket.status, stop?.error?.code], ['BLOCKED_ERROR', 'UNEXPECTED']);
  });

  it('ends without a result when it is told to stop', async () => {
    const { w, id, holder } = await driven(
      behaviourOf({
        draft: gate('start', 'start'),
        scanRelevantFiles: {
          version: 1,
          run: async (run) => ({ exit: await run.step('forever', z.string(), (io) => aborted(io.signal)) }),
        },
      }),
    );
    const stop = w.drive(holder, id);
    await until(
      async () => (await w.client.ticket(id)).ticket.status === 'SCANNING_RELEVANT_FILES',
      'it scans',
    );
    w.stop.abort('SIGINT');
    assert.equal(await stop, undefined);
  });

  it('asks the database nothing about a ticket that is at work', async () => {
    const commits = 60;
    const w = world(
      behaviourOf({
        draft: gate('start', 'start'),
        scanRelevantFiles: {
          version: 1,
          run: async (run) => {
            for (let n = 0; n < commits; n++)
              await run.step(`s${String(n)}`, z.null(), () => Promise.resolve(null));
            return { exit: 'ready' };
          },
        },
        draftInterview: stay,
      }),
    );
    const id = await started(w);
    const app = w.open('driver');
    let details = 0;
    const { client } = w;
    const ticket = client.ticket.bind(client);
    client.ticket = (of) => ((details += 1), ticket(of));
    await app.start([id]);
    const at = await w.drive(holderOf(app), id);
    assert.equal(at?.ticket.status, 'COUNCIL_DELIBERATING');
    assert.ok(details < 10, `${String(details)} reads of the whole ticket in ${String(commits)} commits`);
  });

  it('leaves secrets out of prompts where every gate is covered, and otherwise waits for a person', async () => {
    const answers: string[] = [];
    const asks: HandlerDefinition<'ready'> = {
      version: 1,
      run: async (run) => {
        const options = ['leave_out', 'allow'].map((id) => ({ id, label: id, description: '' }));
        const question = {
          asked: 'a',
          topic: 'prompt_secrets' as const,
          header: 'Secrets in a prompt',
          text: 'A prompt holds what looks like a secret',
          options,
        };
        await run.step('ask', z.null(), async (io) => {
          answers.push((await askChoice(io, question)).choice ?? '');
          return null;
        });
        return { exit: 'ready' };
      },
    };
    const { w, id, holder } = await driven(
      behaviourOf({ draft: gate('start', 'start'), scanRelevantFiles: asks, draftInterview: stay }),
    );
    const some = parseGates('interview-answers,interview,prd,beads,setup,qa');
    assert.equal((await w.drive(holder, id, { approve: some }))?.ticket.hold?.kind, 'question');
    assert.deepEqual(answers, []);
    await w.drive(holder, id, { approve: parseGates('all') });
    assert.deepEqual(answers, ['leave_out']);
  });

  it('gives up answering a gate that keeps refusing', async () => {
    const stubborn: HandlerDefinition<'approve'> = {
      version: 1,
      run: async (run) => {
        for (let n = 1; ; n++) {
          const entry = await run.wait(`w${String(n)}`, ['approve']);
          if (entry === 'expired') return { exit: 'approve' };
        }
      },
    };
    const w = world(
      behaviourOf({ draft: gate('start', 'start'), interview: gate('skip', 'skip_all'), approve: stubborn }),
    );
    const id = await started(w);
    await w.engineWorld.store.commit({
      ticket: id,
      journal: [],
      changes: [{ type: 'artifact', artifact: 'interview', content: 'x', status: 'DRAFT', attempt: 1 }],
    });
    const app = w.open('driver');
    await app.start([id]);
    const stop = await w.drive(holderOf(app), id, { approve: parseGates('all') });
    assert.equal(stop?.ticket.status, 'WAITING_INTERVIEW_APPROVAL');
    assert.ok(w.events.filter((event) => event.type === 'posted').length <= 6);
  });

  it('waits for the process that drives, and takes its place when that is gone', async () => {
    const w = world();
    const id = await started(w);
    const follower = w.open('follower');
    await follower.start([id]);
    const holder = {
      app: follower,
      reopen: async () => {
        holder.app = w.open('driver');
        await holder.app.start([id]);
      },
    };
    const stop = w.drive(holder, id);
    // The start is unread, so a follower continues to wait for a driver to take it.
    await until(
      async () => (await w.engineWorld.store.inbox(id, { pending: true })).length === 1,
      'the start is filed',
    );
    w.setGone();
    assert.equal((await stop)?.ticket.status, 'WAITING_INTERVIEW_ANSWERS');
    assert.equal(holder.app.mode, 'driver');
  });

  it('follows another driver to the stop it reaches', async () => {
    const w = world();
    const id = await started(w);
    const follower = w.open('follower');
    const driver = w.open('driver');
    const stop = w.drive(holderOf(follower), id);
    await driver.start([]);
    assert.equal(driver.engine?.idleState(id), undefined);
    // Filed while another process drives: then the driver runs the ticket although it was not asked to.
    await w.client.act(id, 'cancel', { reason: '', deleteWorktree: false });
    assert.equal((await stop)?.ticket.status, 'CANCELED');
  });

  it('drives a ticket of another process, once something is filed for it', async () => {
    const w = world();
    const driver = w.open('driver');
    await driver.start([]);
    const { id } = await w.client.create({ title: 'Somebody else files this' });
    await w.client.act(id, 'start', start);
    await until(
      async () => (await w.client.ticket(id)).ticket.status === 'WAITING_INTERVIEW_ANSWERS',
      'it is driven',
      3_000,
    );
  });

  it('does not take a gate for ready while what was sent lies unread', async () => {
    const w = world();
    const { id } = await w.client.create({ title: 'A ticket' });
    await moveTicket(w.engineWorld.store, id, 'WAITING_PR_REVIEW');
    const app = w.open('driver');
    await w.client.act(id, 'close', { reason: '' });
    await app.start([id]);
    assert.equal((await w.drive(holderOf(app), id))?.ticket.status, 'COMPLETED');
  });
});

function holderOf(app: DrivenApp): AppHolder {
  return { app, reopen: () => Promise.reject(new Error('not expected to open anew')) };
}

function gate(kind: 'start' | 'skip' | 'approve' | 'close', exit: string): HandlerDefinition<string> {
  return {
    version: 1,
    run: async (run) => {
      await run.wait('answer', [kind]);
      return { exit };
    },
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    });
  });
}
