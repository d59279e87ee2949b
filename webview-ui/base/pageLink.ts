import * as l10n from '@vscode/l10n';
import type { Disposable } from '../../src/base/disposable.ts';
import { Emitter } from '../../src/base/emitter.ts';
import {
  type FromPage,
  type HintOf,
  type PageContract,
  type PageError,
  type ParamsOf,
  type ResultOf,
  type StateOf,
  ToPage,
} from '../../src/protocol/pages/frame.ts';
import { PageView } from '../../src/protocol/pages/pageView.ts';
import { DraftStore } from './draftStore.ts';

/** The extension waits ten seconds for what becomes of an action; this is longer. */
const usualLimitMs = 30_000;

/** `code`: an error's, or empty if no answer came. */
export class PageFailure extends Error {
  override readonly name = 'PageFailure';
  readonly code: string;
  readonly nextStep: string;

  constructor({ code, message, nextStep }: PageError) {
    super(message);
    this.code = code;
    this.nextStep = nextStep;
  }
}

export type Shown<C extends PageContract> =
  | { readonly kind: 'content'; readonly state: StateOf<C>; readonly refusal: string }
  | { readonly kind: 'note'; readonly message: string; readonly nextStep: string };

interface Pending {
  readonly method: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (failure: PageFailure) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** The page's side of the conversation. Knows nothing of the browser. Every request settles. */
export class PageLink<C extends PageContract> {
  readonly #contract: C;
  readonly #post: (message: FromPage) => void;
  readonly #pending = new Map<number, Pending>();
  readonly #changed = new Emitter<void>();
  readonly #hinted = new Emitter<HintOf<C>>();
  #onShow: ((part: string) => void) | undefined;
  /** Told before the page listened. */
  #wanted: string | undefined;
  #shown: Shown<C> | undefined;
  #lastId = 0;

  readonly draftStore: DraftStore;
  readonly onDidChange = this.#changed.on;
  /** They may be lost, so nothing may rest on them. */
  readonly onHint = this.#hinted.on;

  constructor(contract: C, post: (message: FromPage) => void) {
    this.#contract = contract;
    this.#post = post;
    this.draftStore = new DraftStore((key, value) => post({ type: 'draft', key, value }));
  }

  /** Undefined before the first state. */
  get shown(): Shown<C> | undefined {
    return this.#shown;
  }

  ready(): void {
    this.#post({ type: 'ready' });
  }

  crashed(error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#post({ type: 'crashed', message: text.slice(0, 10_000) });
  }

  /** Rejects with PageFailure. */
  request<M extends keyof C['requests'] & string>(
    method: M,
    params: ParamsOf<C, M>,
    limitMs = usualLimitMs,
  ): Promise<ResultOf<C, M>> {
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = setTimeout(
      () =>
        this.#take(id)?.reject(
          failure(
            '',
            l10n.t(
              'No answer within {0} seconds. Check the current state before you try again.',
              Math.round(limitMs / 1_000),
            ),
          ),
        ),
      limitMs,
    );
    this.#pending.set(id, { method, resolve, reject, timer });
    this.#post({ type: 'request', id, method, params });
    // `receive` has checked it against the contract.
    return promise as Promise<ResultOf<C, M>>;
  }

  receive(message: unknown): void {
    const parsed = ToPage.safeParse(message);
    if (!parsed.success) return;
    const said = parsed.data;
    switch (said.type) {
      case 'drafts':
        this.draftStore.receive(said.drafts);
        return;
      case 'draftsStored':
        this.draftStore.stored(said.problem);
        return;
      case 'state':
        this.#shown = this.#read(said.state);
        this.#changed.emit();
        return;
      case 'hint': {
        const hint = this.#contract.hint.safeParse(said.hint);
        if (hint.success) this.#hinted.emit(hint.data as HintOf<C>);
        return;
      }
      case 'show':
        if (this.#onShow) this.#onShow(said.part);
        else this.#wanted = said.part;
        return;
      case 'answer': {
        const pending = this.#take(said.id);
        if (!pending) return;
        if (!said.ok) pending.reject(new PageFailure(said.error));
        else {
          const result = this.#contract.requests[pending.method]?.result.safeParse(said.value);
          if (result?.success) pending.resolve(result.data);
          else pending.reject(failure('UNEXPECTED', unreadableText()));
        }
        return;
      }
    }
  }

  /** Tells which part a command wants to be seen, also if that came first. One listens at a time. */
  readonly onShow = (listener: (part: string) => void): Disposable => {
    this.#onShow = listener;
    const wanted = this.#wanted;
    this.#wanted = undefined;
    if (wanted !== undefined) listener(wanted);
    return {
      dispose: () => {
        if (this.#onShow === listener) this.#onShow = undefined;
      },
    };
  };

  /** Settles whatever still waits: no answer will come any more. */
  close(): void {
    for (const id of [...this.#pending.keys()])
      this.#take(id)?.reject(failure('', l10n.t('The page was closed before the answer arrived.')));
  }

  #read(view: unknown): Shown<C> {
    const unreadable = { kind: 'note', message: unreadableText(), nextStep: '' } as const;
    const parsed = PageView.safeParse(view);
    if (!parsed.success) return unreadable;
    const said = parsed.data;
    if (said.kind === 'note') return said;
    const state = this.#contract.state.safeParse(said.content);
    return state.success
      ? { kind: 'content', state: state.data as StateOf<C>, refusal: said.refusal }
      : unreadable;
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    if (pending) clearTimeout(pending.timer);
    this.#pending.delete(id);
    return pending;
  }
}

function unreadableText(): string {
  return l10n.t('This page and the extension have different versions. Reload the window.');
}

function failure(code: string, message: string): PageFailure {
  return new PageFailure({ code, message, nextStep: '' });
}
