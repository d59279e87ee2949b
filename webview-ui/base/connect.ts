import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { type FromPage, type PageContract, PagePlace } from '../../src/protocol/pages/frame.ts';
import { PageLink } from './pageLink.ts';
import type { ViewState } from './viewState.ts';

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

export interface Connection<C extends PageContract> {
  readonly link: PageLink<C>;
  readonly place: PagePlace;
  readonly viewState: ViewState;
}

/**
 * Connects the page with the extension. May be called once a page, because the editor hands its API out once.
 */
export function connect<C extends PageContract>(contract: C): Connection<C> {
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
  return { link, place, viewState: keptIn(api, place) };
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
