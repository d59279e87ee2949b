import { basename } from 'node:path';
import { l10n } from 'vscode';
import { toBeadsmithError } from '../../domain/core/errors.ts';
import type { RepositoryEntry } from '../../views/shared/repositories.ts';
import type { OpenedRepository } from './openedRepository.ts';

interface TeamEntriesOptions {
  /** The team's tickets of an open repository; undefined if there are none. */
  readonly open: (local: OpenedRepository) => Promise<OpenedRepository | undefined>;
  readonly log: { info(text: string): void; failure(what: string, error: unknown): void };
  readonly onDidChange: () => void;
}

interface Opening {
  readonly local: OpenedRepository;
  isUnderWay?: boolean;
  team?: OpenedRepository;
  failed?: Extract<RepositoryEntry, { kind: 'failed' }>;
}

/**
 * The team's tickets of open repositories (docs/team.md), each an entry after its repository's own. They open
 * beside, so that a team's database that can't be reached delays nothing.
 */
export class TeamEntries {
  readonly #options: TeamEntriesOptions;
  /** By the repository's root. */
  readonly #openings = new Map<string, Opening>();

  constructor(options: TeamEntriesOptions) {
    this.#options = options;
  }

  get entries(): readonly RepositoryEntry[] {
    return [...this.#openings.values()].flatMap(({ local, team, failed }): readonly RepositoryEntry[] => {
      if (team) return [{ kind: 'open', root: team.root, name: titleOf(local.root), repository: team }];
      return failed ? [failed] : [];
    });
  }

  open(local: OpenedRepository): void {
    if (local.isDemo) return;
    const opening: Opening = { local };
    this.#openings.set(local.root, opening);
    void this.#open(opening);
  }

  /** Opens again what failed. */
  retry(): void {
    for (const opening of this.#openings.values())
      if (opening.failed && opening.isUnderWay !== true) void this.#open(opening);
  }

  async close(root: string): Promise<void> {
    const team = this.#openings.get(root)?.team;
    this.#openings.delete(root);
    await team?.close().catch((error: unknown) => this.#options.log.failure(`closing ${root}`, error));
  }

  async #open(opening: Opening): Promise<void> {
    const { root } = opening.local;
    const isOpen = (): boolean => this.#openings.get(root) === opening;
    const { log, onDidChange } = this.#options;
    opening.isUnderWay = true;
    try {
      const team = await this.#options.open(opening.local);
      if (!isOpen()) return await team?.close();
      delete opening.failed;
      if (!team) return;
      opening.team = team;
      log.info(`${root}: the team's tickets of ${team.client.repository.name}`);
    } catch (thrown) {
      if (!isOpen()) return;
      const error = toBeadsmithError(thrown);
      log.failure(`opening the team's tickets of ${root}`, error);
      opening.failed = { kind: 'failed', root: teamRoot(root), name: titleOf(root), error };
    } finally {
      opening.isUnderWay = false;
    }
    onDidChange();
  }
}

function titleOf(root: string): string {
  return l10n.t('{0} (team)', basename(root));
}

/** The key by which views tell a repository's tickets of the team from its own. No folder has the name. */
export function teamRoot(root: string): string {
  return `${root}:team`;
}
