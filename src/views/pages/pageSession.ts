import * as z from 'zod';
import type { Disposable } from '../../base/disposable.ts';
import { canonicalJson } from '../../base/json.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { FromPage, type PageError, type ToPage } from '../../protocol/pages/frame.ts';
import type { PageView } from '../../protocol/pages/pageView.ts';
import type { DraftPlace, Drafts, DraftStore } from './pageDrafts.ts';
import { PageDrafts } from './pageDrafts.ts';

/** The engine writes many times a second; a page is notified no more often than this. */
const pauseMs = 150;
const hiddenPauseMs = 2_000;
/** Live hints between two looks; of more, the newest count. */
const mostHints = 50;

/** Told of changes. `hint` reads the hint only if the page is visible. */
export interface PageListener {
  changed(): void;
  hint(read: () => unknown): void;
}

/** Content of a page, and the requests that it may make. */
export interface PageSource {
  /** In the log. */
  readonly name: string;
  /** An error is shown in the page's place. `refusal`: why nothing can be changed here now. */
  read(): Promise<{
    readonly title: string;
    readonly content: unknown;
    readonly refusal?: BeadsmithError | undefined;
  }>;
  serve(method: string, params: unknown): Promise<unknown>;
  listen(listener: PageListener): Disposable;
}

interface PageSessionOptions {
  readonly source: PageSource;
  readonly post: (message: ToPage) => void;
  readonly retitle: (title: string) => void;
  readonly explain: (error: unknown) => PageError;
  readonly logError: (what: string, error: unknown) => void;
  readonly drafts: { readonly store: DraftStore; readonly place: DraftPlace };
}

/** Marks a page with something unsent, as the editor marks windows with unsaved files. */
const unsentMark = '● ';

/** As much of an invalid request as it takes to answer it. */
const Asked = z.object({ type: z.literal('request'), id: z.number().int() });

/**
 * Sends drafts and state when the page is ready, the state whenever it differs, hints in between, and exactly
 * one answer to each request. A hidden page is gone: until it says `ready` again only its title is read, and
 * answers from before are dropped.
 */
export class PageSession implements Disposable {
  readonly #options: PageSessionOptions;
  readonly #drafts: PageDrafts;
  #title = '';
  readonly #listening: Disposable;
  #life = 0;
  #isLive = false;
  #sent = '';
  #reading: Promise<void> | undefined;
  #early: Promise<PageView> | undefined;
  #isStale = false;
  #hints: unknown[] = [];
  /** Wanted before the page could show it. */
  #part: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: PageSessionOptions) {
    this.#options = options;
    this.#drafts = new PageDrafts({ ...options.drafts, stored: (error) => this.#draftsStored(error) });
    this.#listening = options.source.listen({
      changed: () => this.#soon(),
      hint: (read) => this.#hear(read),
    });
  }

  receive(message: unknown): void {
    const parsed = FromPage.safeParse(message);
    if (!parsed.success) {
      const asked = Asked.safeParse(message);
      const reason = new BeadsmithError('INVALID_INPUT', {
        what: 'The message',
        reason: z.prettifyError(parsed.error),
      });
      if (asked.success) void this.#answer(asked.data.id, () => Promise.reject(reason));
      else this.#log('a message that makes no sense', reason);
      return;
    }
    const said = parsed.data;
    if (said.type === 'crashed') this.#log('the page crashed', new Error(said.message));
    else if (said.type === 'request')
      void this.#answer(said.id, () => this.#options.source.serve(said.method, said.params));
    else if (said.type === 'draft') {
      this.#drafts.change(said.key, said.value);
      this.#retitle(this.#title);
    } else void this.#begin();
  }

  /** Reads the state while the editor loads the page, so that it is there when the page is ready. */
  prepare(): void {
    if (!this.#isLive) this.#early ??= this.#view();
  }

  async refresh(): Promise<void> {
    if (!this.#isLive) {
      this.#early = undefined;
      return;
    }
    this.#isStale = true;
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    await this.#reading;
  }

  /** The page opens this part and leads there, as soon as it can. */
  show(part: string): void {
    this.#part = part;
    this.#showPart();
  }

  /** Another window may have changed what is unsent. */
  async refreshDrafts(): Promise<void> {
    if (!this.#isLive) return;
    const life = this.#life;
    const before = canonicalJson(this.#drafts.current);
    const drafts = await this.#loadDrafts();
    if (life === this.#life && canonicalJson(drafts) !== before)
      this.#options.post({ type: 'drafts', drafts });
  }

  hide(): void {
    this.#isLive = false;
    this.#life++;
  }

  dispose(): void {
    this.hide();
    clearTimeout(this.#timer);
    this.#listening.dispose();
  }

  /** Drafts go before the first state, so that the page shows them at once. */
  async #begin(): Promise<void> {
    this.hide();
    const life = this.#life;
    const drafts = await this.#loadDrafts();
    if (life !== this.#life) return;
    this.#isLive = true;
    this.#sent = '';
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#options.post({ type: 'drafts', drafts });
    await this.refresh();
  }

  async #loadDrafts(): Promise<Drafts> {
    try {
      const drafts = await this.#drafts.load();
      this.#retitle(this.#title);
      return drafts;
    } catch (error) {
      this.#log('its drafts can’t be read', error);
      return this.#drafts.current;
    }
  }

  #draftsStored(error: unknown): void {
    if (error !== undefined) this.#log('its drafts can’t be stored', error);
    if (this.#isLive)
      this.#options.post({
        type: 'draftsStored',
        problem: error === undefined ? '' : this.#options.explain(error).message,
      });
  }

  #retitle(title: string): void {
    this.#title = title;
    if (title !== '') this.#options.retitle(this.#drafts.isEmpty ? title : `${unsentMark}${title}`);
  }

  async #read(): Promise<void> {
    while (this.#isStale && this.#isLive) {
      this.#isStale = false;
      const life = this.#life;
      const early = this.#early;
      this.#early = undefined;
      const view = await (early ?? this.#view());
      const now = canonicalJson(view);
      // It may have been hidden in the meantime, or asked for everything again.
      if (life !== this.#life || now === this.#sent) continue;
      this.#sent = now;
      this.#options.post({ type: 'state', state: view });
      this.#showPart();
    }
  }

  /** A page that has no state yet has no parts. */
  #showPart(): void {
    if (this.#part === undefined || !this.#isLive || this.#sent === '') return;
    this.#options.post({ type: 'show', part: this.#part });
    this.#part = undefined;
  }

  async #view(): Promise<PageView> {
    const { source, explain } = this.#options;
    try {
      const { title, content, refusal } = await source.read();
      this.#retitle(title);
      return { kind: 'content', content, refusal: refusal ? explain(refusal).message : '' };
    } catch (error) {
      this.#log('its state can’t be read', error);
      const { message, nextStep } = explain(error);
      return { kind: 'note', message, nextStep };
    }
  }

  #hear(read: () => unknown): void {
    if (!this.#isLive) return;
    const hint = read();
    if (hint === undefined) return;
    if (this.#hints.length >= mostHints) this.#hints.shift();
    this.#hints.push(hint);
    this.#wake();
  }

  #soon(): void {
    this.#isStale = true;
    this.#early = undefined;
    this.#wake();
  }

  #wake(): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        const hints = this.#hints;
        this.#hints = [];
        if (this.#isLive) for (const hint of hints) this.#options.post({ type: 'hint', hint });
        if (this.#isStale) void (this.#isLive ? this.refresh() : this.#retitleHidden());
      },
      this.#isLive ? pauseMs : hiddenPauseMs,
    );
  }

  /** A hidden tab keeps its title true. Why it can't be read is said when the page is shown. */
  async #retitleHidden(): Promise<void> {
    this.#isStale = false;
    try {
      this.#retitle((await this.#options.source.read()).title);
    } catch {
      this.#isStale = true;
    }
  }

  async #answer(id: number, work: () => Promise<unknown>): Promise<void> {
    const life = this.#life;
    const answer = await work().then(
      (value): ToPage => ({ type: 'answer', id, ok: true, value: value ?? null }),
      (error: unknown): ToPage => {
        this.#log('a request failed', error);
        return { type: 'answer', id, ok: false, error: this.#options.explain(error) };
      },
    );
    if (life === this.#life) this.#options.post(answer);
  }

  #log(what: string, error: unknown): void {
    const { source, logError } = this.#options;
    logError(`${source.name}: ${what}`, error);
  }
}
