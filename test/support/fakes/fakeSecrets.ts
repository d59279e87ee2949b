export class FakeSecrets {
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
