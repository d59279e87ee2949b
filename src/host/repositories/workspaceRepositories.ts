import { basename } from 'node:path';
import { Emitter } from '../../base/emitter.ts';
import { toBeadsmithError, BeadsmithError } from '../../domain/core/errors.ts';
import type { Repositories, RepositoryEntry } from '../../views/shared/repositories.ts';
import { findRepository } from './findRepository.ts';
import type { OpenedRepository } from './openedRepository.ts';
import { TeamEntries } from './teamEntries.ts';
import type { Backups } from '../../app/backups.ts';
import type { BackupKeeper, RestoreResult } from '../../protocol/upkeep.ts';
import { environment } from '../settings/hostSettings.ts';

interface WorkspaceRepositoriesOptions {
  readonly folders: () => readonly string[];
  readonly trusted: () => boolean;
  readonly open: (root: string, trusted: boolean, takeOver: boolean) => Promise<OpenedRepository>;
  /** Opens the team's tickets of a repository; undefined if there are none. */
  readonly openTeam: (local: OpenedRepository) => Promise<OpenedRepository | undefined>;
  readonly log: { info(text: string): void; failure(what: string, error: unknown): void };
  /** Milliseconds between checks. */
  readonly lookMs?: number;
}

/** Passing failures are retried every so many checks. */
const passingLooks = 10;

/** The workspace's repositories. One that fails doesn't close the others. */
export class WorkspaceRepositories implements Repositories {
  readonly #options: WorkspaceRepositoriesOptions;
  readonly #changed = new Emitter<void>();
  readonly #open = new Map<string, OpenedRepository>();
  readonly #failed = new Map<string, RepositoryEntry>();
  readonly #teams: TeamEntries;
  #timer: ReturnType<typeof setInterval> | undefined;
  #state: Repositories['state'] = 'idle';
  #tail: Promise<void> = Promise.resolve();
  #isEnded = false;
  /** Roots with a locked database. */
  #busy = '';
  #looks = 0;

  readonly onDidChange = this.#changed.on;

  constructor(options: WorkspaceRepositoriesOptions) {
    this.#options = options;
    const { openTeam: open, log } = options;
    this.#teams = new TeamEntries({ open, log, onDidChange: () => this.#changed.emit() });
  }

  get state(): Repositories['state'] {
    return this.#state;
  }

  get trusted(): boolean {
    return this.#options.trusted();
  }

  get entries(): readonly RepositoryEntry[] {
    const open = [...this.#open.values()].map((repository): RepositoryEntry => ({
      kind: 'open',
      root: repository.root,
      name: basename(repository.root),
      repository,
    }));
    return [...open, ...this.#failed.values(), ...this.#teams.entries].toSorted((a, b) =>
      a.root.localeCompare(b.root),
    );
  }

  /** A report must not hold them. */
  async passwords(): Promise<readonly string[]> {
    return (await Promise.all([...this.#open.values()].map((repository) => repository.passwords()))).flat();
  }

  open({
    again = false,
    takeOver,
  }: { readonly again?: boolean; readonly takeOver?: string } = {}): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#state !== 'idle' && !again) return;
      this.#failed.clear();
      await this.#openAll(takeOver);
    });
  }

  /** Not before the first opening. */
  reopen(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#state === 'idle') return;
      await this.#closeAll();
      await this.#openAll();
    });
  }

  /** After a change of the team's URL or password; the repositories' own tickets stay open. */
  reopenTeams(): void {
    void this.#inTurn(async () => {
      for (const [root, repository] of this.trusted ? this.#open : []) {
        await this.#teams.close(root);
        this.#teams.open(repository);
      }
      this.#changed.emit();
    });
  }

  /** Closes repositories during `work`. */
  without(roots: readonly string[], work: () => Promise<void>): Promise<void> {
    return this.#inTurn(async () => {
      for (const [root, repository] of this.#open)
        if (roots.includes(root)) await this.#closeOne(root, repository);
      for (const root of roots) this.#failed.delete(root);
      try {
        await work();
      } finally {
        if (this.#state !== 'idle') await this.#openAll();
      }
    });
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    clearInterval(this.#timer);
    await this.#tail;
    await this.#closeAll();
    this.#changed.dispose();
  }

  async #openAll(takeOver?: string): Promise<void> {
    this.#set('opening');
    this.#timer ??= setInterval(
      () => void this.#inTurn(() => this.#lookAgain()),
      this.#options.lookMs ?? 3_000,
    );
    const roots = await this.#roots();
    for (const root of roots) if (!this.#open.has(root)) await this.#openOne(root, root === takeOver);
    this.#set(
      this.#options.folders().length === 0 ? 'noFolder' : roots.size === 0 ? 'noRepository' : 'ready',
    );
  }

  async #roots(): Promise<ReadonlySet<string>> {
    const found = await Promise.all(this.#options.folders().map(findRepository));
    return new Set(found.filter((root) => root !== undefined));
  }

  async #openOne(root: string, takeOver = false): Promise<void> {
    try {
      this.#failed.delete(root);
      const repository = await this.#options.open(root, this.trusted, takeOver);
      this.#open.set(root, repository);
      if (this.trusted) this.#teams.open(repository);
      this.#options.log.info(
        `${root}: ${repository.client.repository.mode} ${repository.client.repository.reason}`.trim(),
      );
    } catch (thrown) {
      const error = toBeadsmithError(thrown);
      this.#options.log.failure(`opening ${root}`, error);
      this.#failed.set(root, { kind: 'failed', root, name: basename(root), error });
    }
  }

  /** Reopens without a driver, and opens new repositories. */
  async #lookAgain(): Promise<void> {
    if (this.#state === 'noRepository' && (await this.#roots()).size > 0) await this.#openAll();
    const busy = [...this.#open]
      .flatMap(([root, { client }]) => (client.repository.isBusy ? [root] : []))
      .join('\n');
    if (busy !== this.#busy) {
      this.#busy = busy;
      this.#changed.emit();
    }
    this.#looks += 1;
    if (this.#looks % passingLooks === 0) this.#teams.retry();
    for (const [root, entry] of this.#looks % passingLooks === 0 ? [...this.#failed] : []) {
      if (
        entry.kind !== 'failed' ||
        !['OWNER_ELSEWHERE', 'DATABASE_BUSY', 'DATABASE_LOST'].includes(entry.error.code)
      )
        continue;
      await this.#openOne(root);
      this.#changed.emit();
    }
    for (const [root, repository] of this.#open) {
      if (!(await repository.wantsReopening())) continue;
      await this.#closeOne(root, repository);
      await this.#openOne(root);
      this.#changed.emit();
    }
  }

  async #closeAll(): Promise<void> {
    await Promise.all([...this.#open].map(([root, repository]) => this.#closeOne(root, repository)));
    this.#failed.clear();
  }

  async #closeOne(root: string, repository: OpenedRepository): Promise<void> {
    this.#open.delete(root);
    await this.#teams.close(root);
    await repository.close().catch((error: unknown) => this.#options.log.failure(`closing ${root}`, error));
  }

  #set(state: Repositories['state']): void {
    this.#state = state;
    this.#changed.emit();
  }

  /** In turn. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#tail.then(() => (this.#isEnded ? undefined : work()));
    this.#tail = turn.catch((error: unknown) => this.#options.log.failure('repositories', error));
    return turn;
  }
}

/** Restores a backup while its repository is closed. */
export function backupKeeper(repositories: Pick<WorkspaceRepositories, 'without'>): BackupKeeper {
  const of = async (root: string): Promise<Backups> =>
    (await import('./driveRepository.ts')).openBackups(root, environment());
  return {
    list: async (root) => (await of(root)).list(),
    restore: async (root, name) => {
      const backups = await of(root);
      let restored: RestoreResult | undefined;
      const restore = async (): Promise<void> => {
        restored = await backups.restore(name);
      };
      await repositories.without([root], restore);
      if (restored === undefined)
        throw new BeadsmithError('UNEXPECTED', { reason: 'the window is being closed' });
      return restored;
    },
  };
}
