import assert from 'node:assert/strict';
import pg from 'pg';
import { TeamKeys } from '../../../src/adapters/store/postgres/teamKeys.ts';
import { newDevice, openTeamDevices, prepareTeam } from '../../../src/app/teamDevices.ts';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import { postgresServer } from '../../support/storeContract/postgresServer.ts';
import { TeamDevice } from '../../support/teamDevice.ts';
import { tempFolder } from '../../support/tempFolder.ts';

function codeOf(reason: unknown): string {
  return reason instanceof BeadsmithError ? reason.code : String(reason);
}

describe('the devices of a team', () => {
  const server = postgresServer();
  let keys: TeamKeys;
  let owner: pg.Client;
  before(async () => {
    await prepareTeam(server.url);
    keys = new TeamKeys(server.url);
    owner = new pg.Client(server.url);
    owner.on('error', () => undefined);
    await owner.connect();
  });
  after(async () => {
    await keys.close();
    await owner.end().catch(() => undefined);
  });
  const phone = () => newDevice(new TeamDevice().publicKey, 'phone');
  const pair = async (role: 'reader' | 'reviewer' | 'admin' = 'reviewer') =>
    (await keys.pair({ person: 'Ada', role })).code;

  it('join by a code: this installation, with the person and the role of the code', async () => {
    const folder = tempFolder('config');
    const team = await openTeamDevices({ url: server.url, env: { XDG_CONFIG_HOME: folder.path } });
    try {
      const key = await team.join((await pair('reader')).toLowerCase());
      assert.deepEqual(
        [key.person, key.role, key.revokedAt, key.id],
        ['Ada', 'reader', null, await team.own()],
      );
      await team.join(await pair('admin'));
      assert.equal((await keys.find(key.id))?.role, 'admin', 'another code changes the role');
    } finally {
      await team.close();
      folder.remove();
    }
  });

  it('use a code up, however many try at once', async () => {
    const code = await pair();
    const tries = await Promise.allSettled(
      Array.from({ length: 6 }, () => keys.redeem({ ...phone(), code })),
    );
    const lost = tries.flatMap((one) => (one.status === 'rejected' ? [codeOf(one.reason)] : []));
    assert.deepEqual(
      lost,
      Array.from({ length: 5 }, () => 'PAIRING_INVALID'),
    );
  });

  it('may ask again after a lost answer, and change nothing by it', async () => {
    const [device, code] = [phone(), await pair('admin')];
    await keys.redeem({ ...device, code });
    await keys.redeem({ ...device, code: await pair('reader') });
    assert.equal((await keys.redeem({ ...device, code })).role, 'admin', 'a code takes no right away');
  });

  it('stay their person’s when another one redeems a code with their public key', async () => {
    const ann = phone();
    await keys.redeem({ ...ann, code: await pair('admin') });
    const { code } = await keys.pair({ person: 'Mallory', role: 'admin' });
    await assert.rejects(keys.redeem({ ...ann, code }), { code: 'DEVICE_KNOWN' });
    assert.deepEqual([(await keys.find(ann.id))?.person, (await keys.find(ann.id))?.role], ['Ada', 'admin']);
    const mallory = await keys.redeem({ ...phone(), code });
    assert.equal(mallory.person, 'Mallory', 'the code is not used up by it');
  });

  it('get nothing for a code that is unknown or ten minutes old, nor for its hash', async () => {
    const code = await pair();
    const { rows } = await owner.query<{ code_hash: string }>('SELECT code_hash FROM beadsmith.pairings');
    await owner.query('UPDATE beadsmith.pairings SET expires_at = expires_at - 600001 WHERE used_by IS NULL');
    for (const typed of [code, '0000-0000-0000-0000', rows.at(-1)?.code_hash ?? '', "' OR 1=1 --"])
      await assert.rejects(keys.redeem({ ...phone(), code: typed }), { code: 'PAIRING_INVALID' });
  });

  it('stay revoked, also with a new code', async () => {
    const device = phone();
    await keys.redeem({ ...device, code: await pair() });
    const { revokedAt } = await keys.revoke(device.id);
    assert.ok(revokedAt !== null);
    assert.equal((await keys.revoke(device.id)).revokedAt, revokedAt, 'the first time counts');
    await assert.rejects(keys.redeem({ ...device, code: await pair() }), { code: 'DEVICE_REVOKED' });
    await assert.rejects(keys.revoke('0'.repeat(32)), { code: 'DEVICE_UNKNOWN' });
  });

  it('are read by every login, added by a code, and changed by none but the owner’s and a runner’s', async () => {
    await owner.query(`CREATE ROLE bob LOGIN PASSWORD 'bob' IN ROLE beadsmith_person`);
    const url = new URL(server.url);
    url.username = url.password = 'bob';
    const bob = new TeamKeys(url.href);
    try {
      const device = phone();
      await bob.redeem({ ...device, code: await pair() });
      assert.equal((await bob.find(device.id))?.person, 'Ada');
      for (const change of [
        bob.pair({ person: 'Bob', role: 'admin' }),
        bob.register({ ...phone(), person: 'Bob', role: 'admin' }),
        bob.revoke(device.id),
      ])
        await assert.rejects(change, { code: 'DATABASE_READ_ONLY' });
    } finally {
      await bob.close();
    }
  });

  it('are asked for again while the server restarts', async () => {
    const all = await keys.all();
    const restarted = server.restart();
    assert.deepEqual(await keys.all(), all);
    await restarted;
  });
});
