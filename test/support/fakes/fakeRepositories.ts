import { Emitter } from '../../../src/base/emitter.ts';
import type { BeadsmithError } from '../../../src/domain/core/errors.ts';
import type {
  OpenRepository,
  Repositories,
  RepositoryEntry,
} from '../../../src/views/shared/repositories.ts';
import { StarredModels } from '../../../src/views/shared/starredModels.ts';
import type { FakeClient } from './fakeClient.ts';
import { FakeMemory } from './fakeMemory.ts';

/** A test opens and closes them by hand. */
export class FakeRepositories implements Repositories {
  readonly #changed = new Emitter<void>();
  state: Repositories['state'] = 'ready';
  trusted = true;
  readonly opened: Parameters<Repositories['open']>[0][] = [];
  entries: readonly RepositoryEntry[] = [];
  /** Of all that are shown. */
  over: Partial<OpenRepository> = {};

  readonly onDidChange = this.#changed.on;

  show(...clients: readonly FakeClient[]): void {
    this.entries = clients.map((client) => {
      const { root, name } = client.repository;
      return { kind: 'open', root, name, repository: openRepository(client, this.over) };
    });
    this.#changed.emit();
  }

  fail(root: string, error: BeadsmithError): void {
    this.entries = [{ kind: 'failed', root, name: root, error }];
    this.#changed.emit();
  }

  open(options: Parameters<Repositories['open']>[0] = {}): Promise<void> {
    this.opened.push(options);
    return Promise.resolve();
  }
}

/** With nothing but `main` and no models, unless said otherwise. */
export function openRepository(client: FakeClient, over: Partial<OpenRepository> = {}): OpenRepository {
  return {
    root: client.repository.root,
    isDemo: false,
    client,
    models: () => Promise.resolve([]),
    branches: () => Promise.resolve({ all: ['main'], usual: 'main' }),
    apart: () => Promise.resolve({ ahead: 0, behind: 0 }),
    readiness: () => Promise.resolve({ hasCommits: true, opencode: 'found' }),
    watchBranches: () => ({ dispose: () => undefined }),
    check: async function* () {
      yield* client.checks;
    },
    cleaner: {
      rule: () => ({ days: 30, megabytes: 500 }),
      list: () => Promise.resolve([]),
      remove: () => Promise.reject(new Error('Nothing is removed.')),
    },
    verifier: () => Promise.reject(new Error('There is no evidence.')),
    commands: {
      list: () => Promise.resolve([]),
      run: () => Promise.reject(new Error('Nothing is run.')),
      prepare: () => Promise.reject(new Error('Nothing is run.')),
    },
    sources: {
      find: () => Promise.resolve([]),
      read: () => Promise.reject(new Error('Nothing is read.')),
    },
    startSettings: () => ({ settings: {}, limits: {} }),
    claim: () => Promise.resolve(true),
    rememberModels: () => Promise.resolve(),
    starred: new StarredModels(new FakeMemory()),
    logIn: () => Promise.reject(new Error('There is no OpenCode.')),
    ...over,
  };
}
