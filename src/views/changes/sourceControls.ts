import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { codesInWorktree } from '../commands/offered.ts';
import type { TicketPlace, Workbench } from '../shared/workbench.ts';
import { ChangeLetters } from './changeLetters.ts';
import { TicketControl, changedGroups } from './ticketControl.ts';

type Parts = Pick<Workbench, 'board' | 'repositories' | 'logError'>;

export function sourceControls(workbench: Parts): Disposable {
  return new SourceControls(workbench, 1_000);
}

/** A source control for each unfinished ticket that has, or had, something to code. */
export class SourceControls implements Disposable {
  readonly #parts: Parts;
  readonly #pauseMs: number;
  readonly #lifetime = new DisposableStore();
  readonly #letters = this.#lifetime.add(new ChangeLetters());
  readonly #controls = new Map<string, TicketControl>();
  #clients = new DisposableStore();
  #wanted = new Map<string, TicketPlace>();
  #due = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `pauseMs`: a ticket in work is read no more often. */
  constructor(parts: Parts, pauseMs: number) {
    const { board, repositories } = parts;
    this.#parts = parts;
    this.#pauseMs = pauseMs;
    this.#lifetime.add(board.onDidChange(() => this.#settle()));
    this.#lifetime.add(
      board.onDidTouch(({ root, ticket }) => {
        for (const [key, one] of this.#wanted)
          if (one.repository.root === root && one.ticket === (ticket ?? one.ticket)) this.#readSoon(key);
      }),
    );
    this.#lifetime.add(repositories.onDidChange(() => this.#connect()));
    this.#connect();
    this.#settle();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#clients.dispose();
    this.#wanted.clear();
    this.#keepWanted();
    this.#lifetime.dispose();
  }

  /** Events tell what agents' tools do; the database doesn't, until their bead ends. */
  #connect(): void {
    this.#clients.dispose();
    this.#clients = new DisposableStore();
    for (const entry of this.#parts.repositories.entries) {
      if (entry.kind !== 'open') continue;
      this.#clients.add(
        entry.repository.client.onEvent((event) => {
          if (event.type === 'activity' && (event.kind === 'tool' || event.kind === 'command'))
            this.#readSoon(keyOf(entry.root, event.ticket));
        }),
      );
    }
  }

  #settle(): void {
    const { board, repositories } = this.#parts;
    const before = this.#wanted;
    this.#wanted = new Map();
    // Reading a worktree runs git, and its settings may name programs.
    for (const { root, repository, tickets } of repositories.trusted ? board.rows : [])
      for (const view of repository ? tickets : [])
        if (repository && codesInWorktree(view)) {
          const known = before.get(keyOf(root, view.id));
          const isSame = known?.repository === repository;
          this.#wanted.set(keyOf(root, view.id), isSame ? known : { repository, ticket: view.id });
        }
    this.#keepWanted();
    for (const [key, place] of this.#wanted) if (before.get(key) !== place) this.#readSoon(key);
  }

  #keepWanted(): void {
    for (const [key, control] of this.#controls) {
      if (this.#wanted.has(key)) continue;
      control.dispose();
      this.#controls.delete(key);
    }
  }

  #readSoon(key: string): void {
    if (!this.#wanted.has(key)) return;
    this.#due.add(key);
    this.#timer ??= setTimeout(() => void this.#readDue(), this.#pauseMs);
  }

  /** One after the other. What changes meanwhile is read after a pause. */
  async #readDue(): Promise<void> {
    const due = this.#due;
    this.#due = new Set();
    for (const key of due)
      await this.#read(key).catch((error: unknown) => this.#parts.logError('source control', error));
    this.#timer = undefined;
    for (const key of this.#due) this.#readSoon(key);
  }

  async #read(key: string): Promise<void> {
    const place = this.#wanted.get(key);
    if (!place) return;
    const { ticket, view } = await place.repository.client.ticket(place.ticket);
    const control = ticket.worktree === null ? undefined : this.#control(key, place, view.title);
    if (!control) return;
    const groups = await changedGroups(place, view, control.knownIn(view.status));
    if (this.#controls.get(key) === control) control.show(groups);
  }

  #control(key: string, place: TicketPlace, title: string): TicketControl | undefined {
    const known = this.#controls.get(key);
    if (known?.title === title || this.#wanted.get(key) !== place) return known;
    known?.dispose();
    const control = new TicketControl(place, title, this.#letters);
    this.#controls.set(key, control);
    return control;
  }
}

function keyOf(root: string, ticket: string): string {
  return `${root}\n${ticket}`;
}
