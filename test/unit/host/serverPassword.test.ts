import assert from 'node:assert/strict';
import { ServerPassword } from '../../../src/host/serverPassword.ts';

/** The editor's secret storage, as far as it is used. */
class Secrets {
  readonly values = new Map<string, string>();
  readonly #listeners: ((change: { readonly key: string }) => void)[] = [];

  async get(key: string): Promise<string | undefined> {
    return this.values.get(key);
  }
  async store(key: string, value: string): Promise<void> {
    this.values.set(key, value);
    this.tell(key);
  }
  async delete(key: string): Promise<void> {
    this.values.delete(key);
    this.tell(key);
  }
  async keys(): Promise<string[]> {
    return [...this.values.keys()];
  }
  onDidChange = (listener: (change: { readonly key: string }) => void): { dispose(): void } => {
    this.#listeners.push(listener);
    return { dispose: () => this.#listeners.splice(0) };
  };
  tell(key: string): void {
    for (const listener of this.#listeners) listener({ key });
  }
}

describe('ServerPassword', () => {
  it('is kept in the secret storage, until it is removed', async () => {
    const secrets = new Secrets();
    const password = new ServerPassword(secrets);
    assert.equal(await password.get(), undefined);
    await password.set('a b c');
    assert.deepEqual([...secrets.values.values()], ['a b c']);
    assert.equal(await password.get(), 'a b c');
    await password.set(undefined);
    assert.equal(await password.get(), undefined);
    assert.equal(secrets.values.size, 0);
  });

  it('tells of its own changes only', async () => {
    const secrets = new Secrets();
    const password = new ServerPassword(secrets);
    let told = 0;
    password.onDidChange(() => (told += 1));
    secrets.tell('somebody else’s');
    assert.equal(told, 0);
    await password.set('x');
    assert.equal(told, 1);
  });
});
