import assert from 'node:assert/strict';
import { StoredPassword } from '../../../../src/host/settings/storedPassword.ts';
import { FakeSecrets } from '../../../support/fakes/fakeSecrets.ts';

describe('StoredPassword', () => {
  it('is kept in the secret storage, until it is removed', async () => {
    const secrets = new FakeSecrets();
    const password = new StoredPassword(secrets, 'opencode.serverPassword');
    assert.equal(await password.get(), undefined);
    await password.set('a b c');
    assert.deepEqual([...secrets.values.values()], ['a b c']);
    assert.equal(await password.get(), 'a b c');
    await password.set(undefined);
    assert.equal(await password.get(), undefined);
    assert.equal(secrets.values.size, 0);
  });

  it('tells of its own changes only', async () => {
    const secrets = new FakeSecrets();
    const password = new StoredPassword(secrets, 'opencode.serverPassword');
    let told = 0;
    password.onDidChange(() => (told += 1));
    secrets.tell('somebody else’s');
    assert.equal(told, 0);
    await password.set('x');
    assert.equal(told, 1);
  });
});
