import assert from 'node:assert/strict';
import { isSignedBy, keyIdOfSpki } from '../../../src/adapters/keys/signatures.ts';
import { type TeamAdmissionOptions, withTeamAdmission } from '../../../src/app/teamAdmission.ts';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import type { TeamKey } from '../../../src/domain/team/keys.ts';
import { teamSeal } from '../../../src/domain/team/seal.ts';
import type { Store } from '../../../src/engine/ports/storePort.ts';
import { tempStore, type TempStore } from '../../support/engine/tempStore.ts';
import { KeysInMemory, TeamDevice } from '../../support/teamDevice.ts';

const body = { sha256: 'a'.repeat(64), reason: '' };

describe('a team’s admission', () => {
  let temp: TempStore;
  let ticket: string;
  const here = new TeamDevice('installation');
  const phone = new TeamDevice();
  const reader = new TeamDevice();
  let keys: KeysInMemory;
  beforeEach(async () => {
    temp = tempStore();
    const input = { prefix: 'TST', atLeast: 1, title: 'Greet', description: '', priority: 3 };
    ({ id: ticket } = await temp.store.createTicket(input));
    keys = new KeysInMemory(here.row('reviewer'), phone.row('admin'), reader.row('reader'));
  });
  afterEach(() => temp.remove());

  const opened = (options: Partial<TeamAdmissionOptions> = {}): Store =>
    withTeamAdmission({
      store: temp.store,
      decisions: { decide: () => Promise.resolve() },
      drives: true,
      isAgent: false,
      clock: { now: () => Date.now() },
      events: { emit: () => undefined },
      repository: 'acme/greeter',
      keys,
      key: here.asInstallation(),
      ...options,
    });
  const approve = (id: string) => ({ id, ticket, kind: 'approve', body }) as const;
  const pending = async (store: Store): Promise<readonly string[]> =>
    (await store.inbox(ticket, { pending: true })).map(({ id }) => id);
  const codeOf = async (id: string) =>
    (await temp.store.inbox(ticket)).find((entry) => entry.id === id)?.outcome?.code;

  it('admits what another window of this installation, and a person’s browser, sealed', async () => {
    await opened({ drives: false }).post(approve('editor'));
    await temp.store.post({ ...approve('phone'), seal: phone.seal('acme/greeter', approve('phone')) });
    assert.deepEqual(await pending(opened()), ['editor', 'phone']);
  });

  const seals: Readonly<Record<string, () => string | undefined>> = {
    'no seal': () => undefined,
    'the seal of another entry': () => phone.seal('acme/greeter', approve('other')),
    'a seal for another repository': () => phone.seal('acme/web', approve('it')),
    'a seal over another body': () =>
      phone.seal('acme/greeter', { ...approve('it'), body: { ...body, sha256: 'b'.repeat(64) } }),
    'an unknown key': () => new TeamDevice().seal('acme/greeter', approve('it')),
    'a reader’s key': () => reader.seal('acme/greeter', approve('it')),
    'the name of another key': () => {
      const [, , signature = ''] = reader.seal('acme/greeter', approve('it')).split(':');
      return teamSeal({ key: phone.id, signature });
    },
    'a seal of this machine’s kind': () => 'secret user',
  };
  for (const [name, seal] of Object.entries(seals))
    it(`refuses ${name}`, async () => {
      const given = seal();
      await temp.store.post({ ...approve('it'), ...(given === undefined ? {} : { seal: given }) });
      assert.deepEqual(await pending(opened()), []);
      assert.equal(await codeOf('it'), 'DECISION_UNSEALED');
    });

  it('refuses what a device sealed before it was revoked, also after it was read', async () => {
    const store = opened();
    await temp.store.post({ ...approve('it'), seal: phone.seal('acme/greeter', approve('it')) });
    assert.deepEqual(await pending(store), ['it']);
    keys.rows.set(phone.id, phone.row('admin', { revokedAt: 2 }));
    assert.deepEqual(await pending(store), []);
    assert.equal(await codeOf('it'), 'DECISION_UNSEALED');
  });

  it('refuses a key under an id that isn’t its own', async () => {
    const other: TeamKey = { ...reader.row('reader'), publicKey: phone.publicKey, role: 'admin' };
    keys = new KeysInMemory(other);
    const [, , signature = ''] = phone.seal('acme/greeter', approve('it')).split(':');
    await temp.store.post({ ...approve('it'), seal: teamSeal({ key: other.id, signature }) });
    assert.deepEqual(await pending(opened()), []);
  });

  it('refuses nothing while the keys can’t be read', async () => {
    await temp.store.post({ ...approve('it'), seal: phone.seal('acme/greeter', approve('it')) });
    const away = new BeadsmithError('DATABASE_BUSY', { seconds: 10 });
    const store = opened({ keys: { find: () => Promise.reject(away) } });
    await assert.rejects(pending(store), { code: 'DATABASE_BUSY' });
    assert.equal(await codeOf('it'), undefined);
    assert.deepEqual(await pending(opened()), ['it']);
  });

  it('takes from a reader what decides nothing', async () => {
    const check = { id: 'check', ticket, kind: 'check_pull_request', body: {} } as const;
    await temp.store.post({ ...check, seal: reader.seal('acme/greeter', check) });
    assert.deepEqual(await pending(opened()), ['check']);
  });

  it('says at once that this installation may not decide, and files nothing', async () => {
    const states = [
      [undefined, 'DEVICE_UNKNOWN'],
      [here.row('reader'), 'ROLE_MISSING'],
      [here.row('admin', { revokedAt: 1 }), 'DEVICE_REVOKED'],
    ] as const;
    for (const [row, code] of states) {
      keys = row ? new KeysInMemory(row) : new KeysInMemory();
      await assert.rejects(opened({ drives: false }).post(approve('it')), { code });
    }
    assert.deepEqual(await temp.store.inbox(ticket), []);
  });

  it('lets an agent’s process decide nothing', async () => {
    await assert.rejects(opened({ drives: false, isAgent: true }).post(approve('it')), {
      code: 'DECISION_BY_AGENT',
    });
    assert.deepEqual(await pending(opened()), []);
  });
});

describe('a key of a device', () => {
  it('is an Ed25519 or a P-256 key in one form', () => {
    for (const kind of ['browser', 'installation'] as const) {
      const device = new TeamDevice(kind);
      assert.match(device.id, /^[0-9a-f]{32}$/);
      assert.ok(isSignedBy(device.publicKey, 'text', device.sign('text')));
      assert.ok(!isSignedBy(device.publicKey, 'other', device.sign('text')));
      const [same, spaced] = [device.publicKey.replace(/=+$/, ''), ` ${device.publicKey}`];
      assert.equal(keyIdOfSpki(spaced), undefined);
      if (same !== device.publicKey) assert.equal(keyIdOfSpki(same), undefined);
    }
    for (const text of ['', 'x', 'A'.repeat(100), 'A'.repeat(10_000)])
      assert.equal(keyIdOfSpki(text), undefined);
  });
});
