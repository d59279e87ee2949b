import { type Comment, type CommentController, comments, type CommentThread, Range } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { OpenRepository, Repositories } from '../shared/repositories.ts';
import { DiffDocuments, type DiffSide } from './diffDocuments.ts';

/**
 * A thread to show on these lines. `drawn`: what its looks follow from, so that it isn't drawn again while
 * that is the same; without it, `draw` itself sees to that.
 */
export interface DiffThread<Known> {
  readonly id: string;
  readonly known: Known;
  readonly line: number;
  readonly endLine: number;
  readonly drawn?: string;
  readonly draw: (thread: CommentThread, isNew: boolean) => void;
}

/** `load`: reads what a ticket has, for the threads of each document. */
interface Kind<Known> {
  readonly id: string;
  readonly label: string;
  readonly load: (
    repository: OpenRepository,
    ticket: string,
  ) => Promise<(side: DiffSide) => readonly DiffThread<Known>[]>;
  readonly logError: (error: unknown) => void;
}

type Shown = Pick<DiffThread<unknown>, 'drawn'> & { readonly thread: CommentThread };

/** Threads of one kind beside the lines of diffs, which follow what is stored. */
export class DiffThreads<Known> implements Disposable {
  readonly controller: CommentController;
  readonly documents: DiffDocuments;
  readonly #load: Kind<Known>['load'];
  /** By document and thread. */
  readonly #shown = new Map<string, Map<string, Shown>>();
  readonly #known = new WeakMap<CommentThread, Known>();
  readonly #lifetime = new DisposableStore();

  constructor(repositories: Repositories, { id, label, load, logError }: Kind<Known>) {
    this.#load = load;
    this.controller = this.#lifetime.add(comments.createCommentController(id, label));
    this.documents = this.#lifetime.add(
      new DiffDocuments(repositories, {
        show: (repository, ticket, sides) => this.#showSides(repository, ticket, sides),
        drop: (uri) => this.#drop(uri.toString()),
        isShowing: () => this.#shown.size > 0,
        logError,
      }),
    );
  }

  get threads(): readonly CommentThread[] {
    return [...this.#shown.values()].flatMap((shown) => Array.from(shown.values(), ({ thread }) => thread));
  }

  knownOf(thread: CommentThread): Known | undefined {
    return this.#known.get(thread);
  }

  threadOf(note: Comment): CommentThread | undefined {
    return this.threads.find(({ comments: notes }) => notes.includes(note));
  }

  /** One that the person opened in the editor. */
  add(thread: CommentThread, id: string, known: Known): void {
    this.#known.set(thread, known);
    const key = thread.uri.toString();
    const shown = this.#shown.get(key) ?? new Map<string, Shown>();
    this.#shown.set(key, shown.set(id, { thread }));
  }

  dispose(): void {
    for (const key of this.#shown.keys()) this.#drop(key);
    this.#lifetime.dispose();
  }

  async #showSides(repository: OpenRepository, ticket: string, sides: readonly DiffSide[]): Promise<void> {
    const threadsOf = await this.#load(repository, ticket);
    for (const side of sides) if (!side.document.isClosed) this.#show(side, threadsOf(side));
  }

  #show({ document }: DiffSide, all: readonly DiffThread<Known>[]): void {
    const key = document.uri.toString();
    const before = this.#shown.get(key) ?? new Map<string, Shown>();
    const shown = new Map<string, Shown>();
    this.#shown.set(key, shown);
    for (const { id, known, line, endLine, drawn, draw } of all) {
      const there = before.get(id);
      const range = new Range(line - 1, 0, endLine - 1, 0);
      const thread = there?.thread ?? this.controller.createCommentThread(document.uri, range, []);
      shown.set(id, { thread, ...(drawn === undefined ? {} : { drawn }) });
      // The editor draws a thread again on each assignment, so what is the same isn't touched.
      if (there && drawn !== undefined && there.drawn === drawn) continue;
      this.#known.set(thread, known);
      if (!thread.range?.isEqual(range)) thread.range = range;
      draw(thread, !there);
    }
    for (const [id, one] of before) {
      if (shown.has(id)) continue;
      // One whose first comment is being stored this moment is there, but not in what was read.
      if (one.thread.comments.length === 0) shown.set(id, one);
      else one.thread.dispose();
    }
  }

  #drop(key: string): void {
    for (const { thread } of this.#shown.get(key)?.values() ?? []) thread.dispose();
    this.#shown.delete(key);
  }
}
