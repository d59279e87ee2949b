import { runOwnProgram } from '../../adapters/process/ownProgram.ts';
import type { Notices } from '../../adapters/store/postgres/notices.ts';
import { sha256 } from '../../base/sha256.ts';
import { toBeadsmithError } from '../../domain/core/errors.ts';
import type { TicketDetail, TicketView } from '../../protocol/api.ts';
import { attentionKey, type NotificationKind, notificationKindOf } from '../../protocol/attention.ts';
import type { Notice, NoticeLine } from '../../protocol/team/notice.ts';

export interface NotifierOptions {
  /** Started without a shell and without arguments; a notice is its input. */
  readonly program: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly notices: Pick<Notices, 'since' | 'claim' | 'sent' | 'failed'>;
  /** Rises with each change of a ticket. */
  readonly changes: () => number;
  readonly tickets: () => Promise<readonly (TicketView & { readonly repository: string })[]>;
  readonly ticket: (repository: string, id: string) => Promise<TicketDetail>;
  /** The page of a ticket, for people. */
  readonly pageOf: (repository: string, ticket: string) => string;
  readonly say: (line: NoticeLine) => void;
  readonly timing?: Partial<NoticeTiming>;
}

/** Milliseconds, and a number of tries. `pauseMs`: doubled with each try. */
export interface NoticeTiming {
  readonly pollMs: number;
  readonly limitMs: number;
  readonly pauseMs: number;
  readonly most: number;
}

/** Programs that run at the same time. */
const atOnce = 4;
/** Milliseconds after which repositories that came meanwhile are found. */
const longestPauseMs = 15_000;
const usual: NoticeTiming = { pollMs: 2_000, limitMs: 30_000, pauseMs: 30_000, most: 5 };

/** Tells the team's owner by their program what begins to wait for people, and what ended. */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #timing: NoticeTiming;
  readonly #ending = new AbortController();
  /** The notices that are over, by ticket. */
  readonly #settled = new Map<string, string>();
  readonly #complaints = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #last = { changes: -1, at: 0, isSettled: false };
  #working: Promise<void> = Promise.resolve();

  private constructor(options: NotifierOptions) {
    this.#options = options;
    this.#timing = { ...usual, ...options.timing };
  }

  /** Throws what the database does where this login may not. */
  static async start(options: NotifierOptions): Promise<Notifier> {
    const notifier = new Notifier(options);
    const since = await options.notices.since();
    const round = (): void => {
      notifier.#working = notifier.#round(since).finally(() => {
        if (!notifier.#ending.signal.aborted) notifier.#timer = setTimeout(round, notifier.#timing.pollMs);
      });
    };
    round();
    return notifier;
  }

  async close(): Promise<void> {
    this.#ending.abort();
    clearTimeout(this.#timer);
    await this.#working;
  }

  /** Reads the tickets if one changed, if a notice is to be tried again, or after a while. */
  async #round(since: number): Promise<void> {
    const changes = this.#options.changes();
    const isQuiet = changes === this.#last.changes && this.#last.isSettled;
    if (isQuiet && performance.now() - this.#last.at < longestPauseMs) return;
    this.#last = { changes, at: performance.now(), isSettled: false };
    const tickets = await this.#tried('', () => this.#options.tickets());
    if (!tickets) return;
    const waiting = tickets.flatMap((view) => {
      const kind = notificationKindOf(view);
      return kind !== undefined && view.updatedAt >= since ? [{ view, kind }] : [];
    });
    // One that hangs doesn't hold up the others.
    let isSettled = true;
    const next = async (): Promise<void> => {
      for (let one = waiting.shift(); one && !this.#ending.signal.aborted; one = waiting.shift()) {
        const { view, kind } = one;
        const name = `${view.repository} ${view.id}`;
        if ((await this.#tried(name, () => this.#tell(view, kind, name))) !== true) isSettled = false;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, next));
    this.#last = { ...this.#last, isSettled };
  }

  /** Undefined if it failed, which a later round may not; the same reason is logged once. */
  async #tried<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      const done = await work();
      this.#complaints.delete(name);
      return done;
    } catch (error) {
      const { message: reason } = toBeadsmithError(error);
      if (this.#complaints.get(name) !== reason) this.#options.say({ outcome: 'failed', reason });
      this.#complaints.set(name, reason);
      return undefined;
    }
  }

  /** Returns true if nothing more is to be done about it. */
  async #tell(
    view: TicketView & { readonly repository: string },
    kind: NotificationKind,
    name: string,
  ): Promise<boolean> {
    const { repository, id: ticket } = view;
    const seen = [kind, view.status, view.hold, view.updatedAt, view.forgeNews].join(' ');
    if (this.#settled.get(name) === seen) return true;
    const detail = await this.#options.ticket(repository, ticket);
    if (!detail.idle || notificationKindOf(detail.view) !== kind) return false;
    const key = { repository, ticket, about: attentionKey(kind, detail) };
    const { limitMs, pauseMs, most } = this.#timing;
    const { notices, program, env } = this.#options;
    const tries = await notices.claim(key, { ms: limitMs * 2, most });
    if (tries === 'over') this.#settled.set(name, seen);
    if (typeof tries === 'string') return tries === 'over';
    const notice = this.#noticeOf(key, kind, detail);
    const input = `${JSON.stringify(notice)}\n`;
    const run = { program, input, env: withoutLogins(env), limitMs, ending: this.#ending.signal };
    const reason = await runOwnProgram(run);
    const line = { repository, ticket, kind, tries };
    if (reason === undefined) {
      await notices.sent(key);
      this.#options.say({ outcome: 'sent', ...line });
    } else {
      await notices.failed(key, pauseMs * 2 ** (tries - 1));
      this.#options.say({ outcome: tries < most ? 'failed' : 'given up', reason, ...line });
    }
    const isOver = reason === undefined || tries >= most;
    if (isOver) this.#settled.set(name, seen);
    return isOver;
  }

  #noticeOf(
    {
      repository,
      ticket,
      about,
    }: { readonly repository: string; readonly ticket: string; readonly about: string },
    kind: NotificationKind,
    { view, error, requests }: TicketDetail,
  ): Notice {
    return {
      id: sha256(JSON.stringify([repository, ticket, about])),
      kind,
      repository,
      ticket,
      title: view.title,
      status: view.status,
      label: view.label,
      since: view.updatedAt,
      url: this.#options.pageOf(repository, ticket),
      error: error && { code: error.code, message: error.message, nextStep: error.nextStep },
      until: kind === 'questions' ? (requests[0]?.until ?? null) : null,
    };
  }
}

/** The program needs no login to the database. */
function withoutLogins(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:BEADSMITH_|PG)/.test(name)));
}
