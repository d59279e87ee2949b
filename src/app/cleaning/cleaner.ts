import { join } from 'node:path';
import { GitCli } from '../../adapters/git/cli/gitCli.ts';
import { KeptRefs, type KeptRef } from '../../adapters/git/keptRefs.ts';
import { removeStaleLock } from '../../adapters/git/cli/staleLock.ts';
import { removeSessionFolders, sessionFolders } from '../../adapters/opencode/server/ownSessions.ts';
import { finishedIn, removeTextsIn, type FinishedTicket } from '../../adapters/store/file/maintenance.ts';
import { installationId } from '../../adapters/store/openStore.ts';
import { configRoot } from '../../adapters/system/configRoot.ts';
import { FileLock } from '../../adapters/system/lock.ts';
import { startedByAgent } from '../../adapters/system/startedBy.ts';
import {
  dueFor,
  mayBePersons,
  type Cleanable,
  type CleanKind,
  type KeepRule,
} from '../../domain/core/cleaning.ts';
import { BeadsmithError, toBeadsmithError } from '../../domain/core/errors.ts';
import type { Agent, Git, Repository } from '../../engine/ports/ports.ts';
import type { Cleaned, RemoveOptions } from '../../protocol/upkeep.ts';
import { locations } from '../locations.ts';
import { type Found, measure, removeFound, shownOf } from './found.ts';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import * as z from 'zod';
import { sizeText } from '../../base/sizeText.ts';
import { readJson, writeAtomically } from '../../adapters/system/files.ts';

interface CleanerParts {
  readonly repository: Pick<Repository, 'root' | 'commonDir'>;
  readonly agent: Pick<Agent, 'forget'>;
  readonly git: Pick<Git, 'removeWorktree'>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Removes what finished tickets left (docs/decisions/127-cleaning-up.md), but no documents, journals,
 * evidence, branches and refs of results.
 */
export class Cleaner {
  readonly #parts: CleanerParts;
  readonly #state: string;
  readonly #refs: KeptRefs;

  constructor(parts: CleanerParts) {
    this.#parts = parts;
    const { root, commonDir } = parts.repository;
    this.#state = join(commonDir, 'beadsmith');
    this.#refs = new KeptRefs(
      new GitCli({ environment: parts.env, folder: root, lockPatienceMs: 15_000, removeStaleLock }),
      root,
    );
  }

  /** `worktrees: false`: without them, since measuring them takes long. */
  async list({ worktrees = true } = {}): Promise<readonly Cleanable[]> {
    return shownOf(await this.#find(worktrees));
  }

  /** Throws CLEANING_ELSEWHERE, DECISION_BY_AGENT. */
  async remove(wanted: readonly Cleanable[], options: RemoveOptions = {}): Promise<Cleaned> {
    if (startedByAgent() === true) throw new BeadsmithError('DECISION_BY_AGENT');
    const lock = new FileLock(join(this.#state, 'clean.lock'), { abandonable: true });
    const busy = () => new BeadsmithError('CLEANING_ELSEWHERE');
    const work = async (): Promise<Cleaned> =>
      removeFound(await this.#find(wanted.some(({ kind }) => kind === 'worktree')), wanted, options);
    return lock.run(work, { patienceMs: 2_000, busy });
  }

  async #find(worktrees: boolean): Promise<readonly Found[]> {
    const refs = await this.#refs.all();
    const found: Found[] = [];
    for (const ticket of await finishedIn(locations.storeWorker, this.#state)) {
      const own = refs.filter(({ name }) => name.startsWith(`${ticket.id}/`));
      found.push(...(await this.#ofTicket(worktrees ? ticket : { ...ticket, worktree: null }, own)));
    }
    return [...found, ...(await this.#takenBack(refs.filter(({ name }) => name.startsWith('shared/'))))];
  }

  async #ofTicket(ticket: FinishedTicket, refs: readonly KeptRef[]): Promise<readonly Found[]> {
    const { id, at, texts, sessions, worktree } = ticket;
    const found = (
      kind: CleanKind,
      { count, bytes }: Pick<Cleanable, 'count' | 'bytes'>,
      remove: Found['remove'],
    ): Found[] => (count === 0 ? [] : [{ ticket: id, kind, count, bytes, at, remove }]);
    const log = join(this.#state, 'logs', `${id}.jsonl`);
    const left = join(this.#state, 'left', id);
    const folders = [...new Set(sessions.map(({ directory }) => directory))];
    const taken = await Promise.all(
      folders.flatMap((folder) => sessionFolders(this.#state, folder)).map(measure),
    );
    const sessionBytes = taken.reduce((sum, { bytes }) => sum + bytes, 0);
    return [
      ...found('texts', texts, () => this.#note({ texts: [id], sessions: [] })),
      ...found('log', await measure(log), () => removePath(log)),
      ...found('sessions', { count: sessions.length, bytes: sessionBytes }, (signal) =>
        this.#removeSessions(ticket, folders, signal),
      ),
      ...(worktree === null
        ? []
        : found(
            'worktree',
            { ...(await measure(worktree)), count: existsSync(worktree) ? 1 : 0 },
            async () => {
              await this.#parts.git.removeWorktree(worktree);
            },
          )),
      ...(await this.#kept(
        refs,
        (kind, kept) => found(kind, kept, () => this.#refs.remove(kept.refs)),
        ticket.status,
      )),
      ...found('left', await measure(left), () => removePath(left)),
    ];
  }

  async #kept(
    refs: readonly KeptRef[],
    found: (
      kind: CleanKind,
      kept: { readonly refs: readonly KeptRef[]; readonly count: number; readonly bytes: number },
    ) => Found[],
    status: FinishedTicket['status'],
  ): Promise<readonly Found[]> {
    const kinds = Map.groupBy(refs, ({ name }) => kindOfRef(name.slice(name.indexOf('/') + 1), status));
    const all: Found[] = [];
    for (const kind of ['attempts', 'work'] as const) {
      const own = kinds.get(kind) ?? [];
      if (own.length > 0)
        all.push(...found(kind, { refs: own, count: own.length, bytes: await this.#refs.bytesOf(own) }));
    }
    return all;
  }

  /** Of no ticket: changes to the shared git state that were taken back. */
  async #takenBack(refs: readonly KeptRef[]): Promise<readonly Found[]> {
    const folder = join(this.#state, 'taken-back');
    const files = await measure(folder);
    const count = files.count + refs.length;
    if (count === 0) return [];
    const at = Math.max(files.at, ...refs.map((ref) => ref.at));
    const bytes = files.bytes + (refs.length === 0 ? 0 : await this.#refs.bytesOf(refs));
    const remove = async (): Promise<void> => {
      await this.#refs.remove(refs);
      await removePath(folder);
    };
    return [{ ticket: null, kind: 'takenBack', count, bytes, at, remove }];
  }

  async #removeSessions(
    { id, sessions }: FinishedTicket,
    folders: readonly string[],
    signal?: AbortSignal,
  ): Promise<void> {
    for (const session of sessions) {
      signal?.throwIfAborted();
      await this.#parts.agent.forget(session);
    }
    for (const folder of folders)
      if (!(await removeSessionFolders(this.#state, folder))) throw new BeadsmithError('CLEANING_ELSEWHERE');
    await this.#note({ texts: [], sessions: [id] });
  }

  async #note(removal: {
    readonly texts: readonly string[];
    readonly sessions: readonly string[];
  }): Promise<void> {
    const installation = await installationId(configRoot(this.#parts.env));
    await removeTextsIn(locations.storeWorker, {
      folder: this.#state,
      installation,
      texts: [...removal.texts],
      sessions: [...removal.sessions],
    });
  }
}

/**
 * Null for what stays: the start commit, which keeps the ticket's number taken, and proved commits before a
 * squash.
 */
function kindOfRef(name: string, status: FinishedTicket['status']): 'attempts' | 'work' | null {
  if (name === 'worktree/start' || (name.startsWith('presquash/') && status === 'COMPLETED')) return null;
  if (/^(?:presquash|undone|edits|restored)\//.test(name)) return 'work';
  if (/^(?:candidate|before-update)\/|^worktree\/(?:before-reset|commands|agent-config)|^_/.test(name))
    return 'attempts';
  return /^[^/]+\/\d+(?:-\d+)?$/.test(name) ? 'attempts' : 'work';
}

async function removePath(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}

const dayMs = 86_400_000;
const lookMs = 3_600_000;
/** A new window has other work first. */
const firstMs = 120_000;

const Stamp = z.object({ at: z.number() });

export interface DailyParts {
  readonly cleaner: Pick<Cleaner, 'list' | 'remove'>;
  readonly stateFolder: string;
  /** The current setting; no days: never. */
  readonly rule: () => KeepRule;
  readonly say: (line: string) => void;
  readonly now: () => number;
}

/** Cleans up once a day. Returns a function that ends it, after a removal. */
export function cleanDaily(parts: DailyParts): () => Promise<void> {
  const ended = new AbortController();
  let work = Promise.resolve();
  const look = (): void => {
    work = work.then(() => cleanIfDue(parts, ended.signal));
  };
  const first = setTimeout(look, firstMs).unref();
  const later = setInterval(look, lookMs).unref();
  return async () => {
    ended.abort();
    clearTimeout(first);
    clearInterval(later);
    await work;
  };
}

/**
 * Once a day, removes what is due and was made by agents or the engine alone. Failures are logged and retried
 * the next day.
 */
export async function cleanIfDue(
  { cleaner, stateFolder, rule, say, now }: DailyParts,
  signal: AbortSignal,
): Promise<void> {
  try {
    const kept = rule();
    const stamp = join(stateFolder, 'cleaned.json');
    const age = now() - ((await readJson(stamp, Stamp))?.at ?? 0);
    if (kept.days === 0 || signal.aborted || (age >= 0 && age < dayMs)) return;
    await writeAtomically(stamp, JSON.stringify({ at: now() } satisfies z.infer<typeof Stamp>), {
      mode: 0o600,
      durable: false,
    });
    const due = dueFor(
      (await cleaner.list({ worktrees: false })).filter(({ kind }) => !mayBePersons(kind)),
      kept,
      now(),
    );
    if (due.length === 0) return;
    const { removed, failed } = await cleaner.remove(due, { signal });
    const tickets = new Set(removed.map(({ ticket }) => ticket));
    const bytes = removed.reduce((sum, one) => sum + one.bytes, 0);
    say(
      `cleaned up: removed ${sizeText(bytes)} of texts, logs, sessions and refs of ${[...tickets].join(', ') || 'no ticket'}`,
    );
    for (const { ticket, kind, reason } of failed)
      say(`cleaned up: ${kind} of ${ticket ?? 'no ticket'} stay: ${reason}`);
  } catch (error) {
    say(`cleaning up failed: ${toBeadsmithError(error).message}`);
  }
}
