import type { SecretStorage } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';

/** Names of passwords in the secret storage: of the user's OpenCode server, and of the team's database. */
type PasswordName = 'opencode.serverPassword' | 'team.password';

/** A password, only in the secret storage. */
export class StoredPassword {
  readonly #secrets: SecretStorage;
  readonly #name: PasswordName;

  constructor(secrets: SecretStorage, name: PasswordName) {
    this.#secrets = secrets;
    this.#name = name;
  }

  async get(): Promise<string | undefined> {
    return this.#secrets.get(this.#name);
  }

  async set(password: string | undefined): Promise<void> {
    await (password === undefined
      ? this.#secrets.delete(this.#name)
      : this.#secrets.store(this.#name, password));
  }

  /** Fires in every window. */
  onDidChange(listener: () => void): Disposable {
    return this.#secrets.onDidChange((change) => {
      if (change.key === this.#name) listener();
    });
  }
}
