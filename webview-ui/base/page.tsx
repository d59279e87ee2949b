import * as l10n from '@vscode/l10n';
import { Component, type ComponentChildren, type ComponentType, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type {
  HintOf,
  PageContract,
  PagePlace,
  ParamsOf,
  ResultOf,
  StateOf,
} from '../../src/protocol/pages/frame.ts';
import { connect, type Connection } from './connect.ts';
import { Button, Icon, ProgressRing } from './elements.tsx';
import { DraftNote } from './DraftNote.tsx';
import type { DraftStore } from './draftStore.ts';
import type { PageLink } from './pageLink.ts';
import type { ViewState } from './viewState.ts';

/** The tools that a page's component works with. The object stays the same for the page's lifetime. */
export interface PageTools<C extends PageContract> {
  readonly place: PagePlace;
  readonly draftStore: DraftStore;
  readonly viewState: ViewState;
  /** Rejects with PageFailure; `useRequest` shows that. */
  request<M extends keyof C['requests'] & string>(
    method: M,
    params: ParamsOf<C, M>,
    limitMs?: number,
  ): Promise<ResultOf<C, M>>;
  readonly onHint: PageLink<C>['onHint'];
  /** Says something to people who don't see the page; it doesn't interrupt them. */
  announce(text: string): void;
}

export interface PageProps<C extends PageContract> {
  readonly state: StateOf<C>;
  /**
   * The reason why nothing can be done now, for people; empty when everything can. The extension refuses
   * requests then; the page offers none.
   */
  readonly refusal: string;
  readonly page: PageTools<C>;
}

/**
 * Starts a page: `startPage({ contract, Page })` is all of a page's `main.tsx`. Shows a note instead of the
 * page where there is nothing to show, and a way to continue where the page throws.
 */
export function startPage<C extends PageContract>(options: {
  readonly contract: C;
  readonly Page: ComponentType<PageProps<C>>;
}): void {
  const connection = connect(options.contract);
  const { link, place, viewState } = connection;
  const live = document.createElement('div');
  live.className = 'live';
  live.setAttribute('role', 'status');
  document.body.append(live);
  const page: PageTools<C> = {
    place,
    draftStore: link.draftStore,
    viewState,
    request: (method, params, limitMs) => link.request(method, params, limitMs),
    onHint: link.onHint,
    announce: (text) => {
      // The same words again are news, too.
      live.textContent = live.textContent === text ? `${text}\u00A0` : text;
    },
  };
  const mount = document.getElementById('page');
  if (!mount) throw new Error('the document has no place for the page');
  render(<Frame connection={connection} page={page} Page={options.Page} />, mount);
  link.ready();
}

/** The newest live hint's listener, for as long as the component lives. */
export function useHints<C extends PageContract>(page: PageTools<C>, hear: (hint: HintOf<C>) => void): void {
  useEffect(() => {
    const listening = page.onHint(hear);
    return () => listening.dispose();
  }, []);
}

interface FrameProps<C extends PageContract> {
  readonly connection: Connection<C>;
  readonly page: PageTools<C>;
  readonly Page: ComponentType<PageProps<C>>;
}

function Frame<C extends PageContract>({ connection, page, Page }: FrameProps<C>) {
  const { link } = connection;
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
  if (shown.kind === 'note') return <Note message={shown.message} nextStep={shown.nextStep} />;
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

function Note({ message, nextStep }: { readonly message: string; readonly nextStep: string }) {
  return (
    <main class="note">
      <p>{message}</p>
      <p class="quiet">{nextStep}</p>
    </main>
  );
}

interface BoundaryProps {
  readonly onCrash: (error: unknown) => void;
  readonly onReload: () => void;
  readonly children: ComponentChildren;
}

/**
 * A boundary for errors: what throws below it takes down nothing but itself. A person can start again, and
 * the log says why.
 */
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
