import assert from 'node:assert/strict';
import { TeamRepository } from '../../../../src/app/runner/teamRepository.ts';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import type { Claim, Claims } from '../../../../src/engine/ports/storePort.ts';
import { behaviourOf, EngineWorld } from '../../../support/engine/engineWorld.ts';
import { moveTicket } from '../../../support/engine/moveTicket.ts';
import { tempStores } from '../../../support/engine/tempStore.ts';
import { FakeClient } from '../../../support/fakes/fakeClient.ts';

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

  beforeEach(async () => {
    world = new EngineWorld(stores(), { git: unused, files: unused });
    claims = new FakeClaims();
    id = (await world.ticket()).id;
    await moveTicket(world.store, id, 'SCANNING_RELEVANT_FILES');
    isAtWork = false;
    logged.length = 0;
    const behaviour = behaviourOf({
      scanRelevantFiles: {
        version: 1,
        run: async (run) => {
          isAtWork = true;
          await run.wait('gate', ['merge']);
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
          pushed: { forget: () => undefined, stop: () => undefined },
          refs: unused,
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
});
