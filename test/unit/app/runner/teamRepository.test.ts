import assert from 'node:assert/strict';
import * as z from 'zod';
import { TeamRepository } from '../../../../src/app/runner/teamRepository.ts';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import type { Run } from '../../../../src/engine/run/run.ts';
import type { Claim, Claims } from '../../../../src/engine/ports/storePort.ts';
import { behaviourOf, EngineWorld } from '../../../support/engine/engineWorld.ts';
import { moveTicket } from '../../../support/engine/moveTicket.ts';
import { tempStores } from '../../../support/engine/tempStore.ts';
import { FakeClient } from '../../../support/fakes/fakeClient.ts';
import { until } from '../../../support/until.ts';

/** Claims as a team's database gives them. */
class FakeClaims implements Claims {
  readonly done: string[] = [];
  next: Claim | null = { epoch: 1, from: null };

  claim: Claims['claim'] = (ticket) => {
    this.done.push(`claim ${ticket}`);
    return Promise.resolve(this.next);
  };
  release: Claims['release'] = async (ticket) => {
    this.done.push(`release ${ticket}`);
  };
}

/** A ticket without a branch needs no git. */
const unused = {} as never;

describe('A runner’s drive of a ticket', () => {
  const stores = tempStores();
  let world: EngineWorld;
  let claims: FakeClaims;
  let id: string;
  let repository: TeamRepository;
  const logged: string[] = [];
  let isAtWork: boolean;
  let isAway: boolean;
  let work: (run: Run) => Promise<unknown>;

  beforeEach(async () => {
    world = new EngineWorld(stores(), { git: unused, files: unused });
    claims = new FakeClaims();
    id = (await world.ticket()).id;
    await moveTicket(world.store, id, 'SCANNING_RELEVANT_FILES');
    isAtWork = false;
    isAway = false;
    work = (run) => run.wait('gate', ['merge']);
    logged.length = 0;
    const behaviour = behaviourOf({
      scanRelevantFiles: {
        version: 1,
        run: async (run) => {
          isAtWork = true;
          await work(run);
          return { exit: 'ready' };
        },
      },
    });
    repository = new TeamRepository(
      {
        client: new FakeClient(),
        ports: world.ports,
        behaviour,
        onDidChangeState: () => ({ dispose: () => undefined }),
        hurry: () => undefined,
        onDispose: [],
        ofTeam: {
          claims,
          places: {
            of: () => Promise.resolve({ now: '', wanted: '' }),
            settle: () => Promise.resolve(),
          },
          pushed: { forget: () => undefined, isAway: () => isAway, stop: () => undefined },
          refs: { at: () => Promise.resolve(unused) },
        },
      },
      { atOnce: 1, silentMs: 60_000, log: (text) => logged.push(text) },
    );
    await repository.start();
  });
  afterEach(() => repository.dispose());

  it('begins with a claim, and leaves the ticket once it waits', async () => {
    assert.deepEqual(await repository.drive(id), { again: null });
    assert.deepEqual(claims.done, [`claim ${id}`, `release ${id}`]);
    assert.ok(isAtWork);
  });

  it('does not begin once the runner stops, and leaves the ticket to others', async () => {
    claims.claim = async (ticket) => {
      claims.done.push(`claim ${ticket}`);
      await repository.stop();
      return { epoch: 1, from: null };
    };
    assert.equal(await repository.drive(id), undefined);
    assert.deepEqual([isAtWork, claims.done], [false, [`claim ${id}`, `release ${id}`]]);
  });

  it('begins once for two orders at the same time', async () => {
    const first = repository.drive(id);
    const { again } = (await repository.drive(id)) ?? { again: null };
    assert.ok(again !== null, 'the second one comes later');
    assert.deepEqual(await first, { again: null });
    assert.deepEqual(claims.done, [`claim ${id}`, `release ${id}`]);
  });

  it('does not begin while another runner has the ticket, and is asked for again later', async () => {
    claims.next = null;
    const end = await repository.drive(id);
    assert.equal(end?.again, world.clock.now() + 15_000);
    assert.equal(isAtWork, false);
    assert.deepEqual(claims.done, [`claim ${id}`]);
  });

  it('ends when the ticket is another runner’s, and leaves it alone', async () => {
    world.store.openRun = () => Promise.reject(new BeadsmithError('EPOCH_LOST'));
    assert.deepEqual(await repository.drive(id), { again: null });
    assert.deepEqual(claims.done, [`claim ${id}`]);
    assert.match(logged.join(), /EPOCH_LOST/);
  });

  it('is asked for again when the database was lost, for which it is opened again', async () => {
    world.store.openRun = () => Promise.reject(new BeadsmithError('DATABASE_LOST', { reason: 'gone' }));
    await assert.rejects(repository.drive(id), { code: 'DATABASE_LOST' });
  });

  it('counts the crash of the runner before, which lost the ticket at its work', async () => {
    claims.next = { epoch: 2, from: 'gone' };
    await repository.drive(id);
    assert.equal((await world.read(id)).crashes?.length, 1);
  });

  describe('and waits', () => {
    const held = () => until(async () => (await world.read(id)).hold ?? false, 'the ticket is held');
    const holding = (ms: number) => async (run: Run) => {
      const end = world.clock.now() + ms;
      return run.all({
        limited: (branch) =>
          branch.step('call', z.null(), async (io) => {
            await io.hold({ id: 'w', kind: 'quota', until: end, detail: 'slow down' });
            return null;
          }),
      });
    };

    it('ends while a provider’s limit lasts, and is asked for again at its end', async () => {
      const end = world.clock.now() + 600_000;
      work = holding(600_000);
      const first = repository.drive(id);
      await held();
      await world.clock.advance(31_000);
      assert.deepEqual(await first, { again: end });
      assert.equal((await world.read(id)).hold?.until, end, 'people see until when');
      assert.equal(claims.done.at(-1), `release ${id}`);
      await world.clock.advance(600_000);
      work = async (run) => {
        await holding(0)(run);
        await run.wait('gate', ['merge']);
      };
      claims.next = { epoch: 2, from: null };
      assert.deepEqual(await repository.drive(id), { again: null });
      assert.equal((await world.read(id)).hold, null);
    });

    it('ends for the rest of a day whose budget is spent', async () => {
      const since = world.clock.now();
      const hold = { kind: 'budget' as const, since, detail: 'spent', until: since + 3_600_000 };
      await world.store.commit({ ticket: id, journal: [], changes: [{ type: 'ticket', set: { hold } }] });
      assert.deepEqual(await repository.drive(id), { again: hold.until });
      assert.equal(isAtWork, false);
      await world.clock.advance(3_600_000);
      assert.deepEqual(await repository.drive(id), { again: null });
      assert.equal(isAtWork, true);
    });

    it('ends after a minute of a full disk, so that a runner with space continues', async () => {
      const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
      work = () => Promise.reject(full);
      const drive = repository.drive(id);
      await held();
      let hasEnded = false;
      void drive.then(() => (hasEnded = true));
      await world.clock.advance(50_000);
      assert.equal(hasEnded, false, 'it may find space');
      await until(async () => {
        await world.clock.advance(1_000);
        return hasEnded;
      }, 'it leaves the ticket');
      assert.ok((await drive)?.again, 'it is asked for again');
      assert.equal((await world.read(id)).hold?.kind, 'disk', 'people see why');
      assert.equal(claims.done.at(-1), `release ${id}`);
      claims.next = { epoch: 2, from: null };
      work = (run) => run.wait('gate', ['merge']);
      assert.deepEqual(await repository.drive(id), { again: null });
      assert.equal((await world.read(id)).hold, null);
    });

    it('continues while another of its calls is at work', async () => {
      const busy = Promise.withResolvers<null>();
      work = (run) =>
        run.all({
          limited: (branch) => holding(600_000)(branch),
          busy: (branch) => branch.step('busy', z.null(), () => busy.promise),
        });
      const drive = repository.drive(id);
      await held();
      let hasEnded = false;
      void drive.then(() => (hasEnded = true));
      await world.clock.advance(120_000);
      assert.equal(hasEnded, false);
      busy.resolve(null);
      await world.clock.advance(60_000);
      assert.ok((await drive)?.again);
    });

    it('lets others work while the remote is away', async () => {
      const there = Promise.withResolvers<null>();
      work = async (run) => {
        await run.step('push', z.null(), () => there.promise);
        await run.wait('gate', ['merge']);
      };
      const drive = repository.drive(id);
      await until(() => isAtWork, 'it is driven');
      assert.equal(repository.asides, 0);
      isAway = true;
      assert.equal(repository.asides, 1);
      there.resolve(null);
      await drive;
      assert.equal(repository.asides, 0);
    });

    it('lets others work while an agent has asked a person', async () => {
      const question = { header: 'Format', text: 'CSV?', options: [], multiple: false, custom: true };
      const asked = { asked: 'que_1', content: { kind: 'question' as const, questions: [question] } };
      work = async (run) => {
        await run.step('call', z.null(), async (io) => {
          const withdrawn = new AbortController().signal;
          await io.ask(asked, { source: 'demo/main', windowMs: 300_000, withdrawn });
          return null;
        });
        await run.wait('gate', ['merge']);
      };
      const drive = repository.drive(id);
      const { request } = await held();
      assert.equal(repository.asides, 1);
      await world.post(id, 'question_reply', { request: request?.id ?? '', answers: [['CSV']] });
      assert.deepEqual(await drive, { again: null });
      assert.equal(repository.asides, 0);
    });
  });
});
