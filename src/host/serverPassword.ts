import type { SecretStorage } from 'vscode';
import type { Disposable } from '../base/disposable.ts';

const key = 'opencode.serverPassword';

/** The password of an OpenCode server that the user runs: in the editor's secret storage and nowhere else, neither in settings nor in a log. */
export class ServerPassword {
  readonly #secrets: SecretStorage;

  constructor(secrets: SecretStorage) {
    this.#secrets = secrets;
  }

  async get(): Promise<string | undefined> {
    return this.#secrets.get(key);
  }

  /** Keeps it for this user of the machine; `undefined` removes it. */
  async set(password: string | undefined): Promise<void> {
    await (password === undefined ? this.#secrets.delete(key) : this.#secrets.store(key, password));
  }

  /** Told in every window, whichever one changed it. */
  onDidChange(listener: () => void): Disposable {
    return this.#secrets.onDidChange((change) => {
      if (change.key === key) listener();
    });
  }
}
