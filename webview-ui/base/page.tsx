import * as l10n from '@vscode/l10n';
import { Component, type ComponentChildren, type ComponentType, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import * as z from 'zod';
import {
  type FromPage,
  type HintOf,
  type PageContract,
  PagePlace,
  type ParamsOf,
  type ResultOf,
  type StateOf,
} from '../../src/protocol/pages/frame.ts';
import type { DraftStore } from './draftStore.ts';
import { Button, Icon, ProgressRing } from './elements.tsx';
import { DraftNote, type ViewState } from './keptState.tsx';
import { PageLink } from './pageLink.ts';

/** The object stays the same for the page's lifetime. */
export interface PageTools<C extends PageContract> {
  readonly draftStore: DraftStore;
  readonly viewState: ViewState;
  /** Rejects with PageFailure; `useRequest` shows that. */
  request<M extends keyof C['requests'] & string>(method: M, params: ParamsOf<C, M>): Promise<ResultOf<C, M>>;
  readonly onHint: PageLink<C>['onHint'];
  readonly onShow: PageLink<C>['onShow'];
  /** For people who don't see the page; it doesn't interrupt them. */
  announce(text: string): void;
}

export interface PageProps<C extends PageContract> {
  readonly state: StateOf<C>;
  /** The reason why nothing can be done now; the extension refuses requests then. */
  readonly refusal: string;
  readonly page: PageTools<C>;
}

/** Shows a note where there is nothing to show, and a way to continue after a crash. */
export function startPage<C extends PageContract>(contract: C, Page: ComponentType<PageProps<C>>): void {
  const { link, viewState } = connect(contract);
  const live = document.createElement('div');
  live.className = 'live';
  live.setAttribute('role', 'status');
  document.body.append(live);
  const page: PageTools<C> = {
    draftStore: link.draftStore,
    viewState,
    request: (method, params) => link.request(method, params),
    onHint: link.onHint,
    onShow: link.onShow,
    announce: (text) => {
      // The same words again are news, too.
      live.textContent = live.textContent === text ? `${text}\u00A0` : text;
    },
  };
  const mount = document.getElementById('page');
  if (!mount) throw new Error('the document has no place for the page');
  render(<Frame link={link} page={page} Page={Page} />, mount);
  link.ready();
}

export function useHints<C extends PageContract>(page: PageTools<C>, hear: (hint: HintOf<C>) => void): void {
  useEffect(() => {
    const listening = page.onHint(hear);
    return () => listening.dispose();
  }, []);
}

interface FrameProps<C extends PageContract> {
  readonly link: PageLink<C>;
  readonly page: PageTools<C>;
  readonly Page: ComponentType<PageProps<C>>;
}

function Frame<C extends PageContract>({ link, page, Page }: FrameProps<C>) {
  const [shown, setShown] = useState(link.shown);
  useEffect(() => {
    const listening = link.onDidChange(() => setShown(link.shown));
    // Effects run after the first frame is drawn; a state that came before that would never be shown.
    setShown(link.shown);
    return () => listening.dispose();
  }, []);
  if (!shown)
    return (
      <p class="loading">
        <ProgressRing /> {l10n.t('Loading…')}
      </p>
    );
  if (shown.kind === 'note')
    return (
      <main class="note">
        <p>{shown.message}</p>
        <p class="quiet">{shown.nextStep}</p>
      </main>
    );
  return (
    <Boundary onCrash={(error) => link.crashed(error)} onReload={() => link.ready()}>
      {shown.refusal !== '' && (
        <p class="refusal">
          <Icon name="lock" /> {shown.refusal}
        </p>
      )}
      <DraftNote store={link.draftStore} />
      <Page state={shown.state} refusal={shown.refusal} page={page} />
    </Boundary>
  );
}

interface BoundaryProps {
  readonly onCrash: (error: unknown) => void;
  readonly onReload: () => void;
  readonly children: ComponentChildren;
}

/** A person can start again after a throw, and the log says why. */
class Boundary extends Component<BoundaryProps, { readonly crashed: boolean }> {
  override state = { crashed: false };

  override componentDidCatch(error: unknown): void {
    this.props.onCrash(error);
    this.setState({ crashed: true });
  }

  override render() {
    const { onReload, children } = this.props;
    if (!this.state.crashed) return children;
    return (
      <main class="note">
        <p role="alert">
          {l10n.t('This page stopped working. Your input is kept. For details, see the log.')}
        </p>
        <Button
          onClick={() => {
            this.setState({ crashed: false });
            onReload();
          }}
        >
          {l10n.t('Reload Page')}
        </Button>
      </main>
    );
  }
}

// Schemas would be compiled with `new Function`, which our policy forbids and the browser would complain
// about.
z.config({ jitless: true });

interface EditorApi {
  postMessage(message: FromPage): void;
  getState(): unknown;
  setState(state: Stored): void;
}

declare function acquireVsCodeApi(): EditorApi;

const Stored = z.object({ place: PagePlace, viewState: z.record(z.string(), z.unknown()) });
type Stored = z.infer<typeof Stored>;

/** May be called once, because the editor hands its API out once. */
function connect<C extends PageContract>(contract: C) {
  const { dataset } = document.body;
  const place = PagePlace.parse(JSON.parse(dataset['place'] ?? ''));
  const strings = document.getElementById('l10n')?.textContent ?? '';
  // In English there are none: what the code says is shown.
  if (strings !== '') l10n.config({ contents: strings });
  const api = acquireVsCodeApi();
  const link = new PageLink(contract, (message) => api.postMessage(message));
  window.addEventListener('message', (event) => link.receive(event.data));
  window.addEventListener('pagehide', () => link.close());
  window.addEventListener('unhandledrejection', (event) => link.crashed(event.reason));
  window.addEventListener('error', (event) => link.crashed(event.error ?? event.message));
  return { link, viewState: keptIn(api, place) };
}

/** The place goes with it from the start: it is what the editor brings a page back by. */
function keptIn(api: EditorApi, place: PagePlace): ViewState {
  const before = Stored.safeParse(api.getState());
  let stored: Stored = { place, viewState: before.success ? before.data.viewState : {} };
  api.setState(stored);
  return {
    get: (key) => stored.viewState[key],
    set: (key, value) => {
      stored = { place, viewState: { ...stored.viewState, [key]: value } };
      api.setState(stored);
    },
  };
}
