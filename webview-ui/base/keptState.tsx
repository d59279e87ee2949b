import * as l10n from '@vscode/l10n';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type * as z from 'zod';
import { canonicalJson } from '../../src/base/json.ts';
import type { DraftStatus, DraftStore } from './draftStore.ts';
import { Icon } from './elements.tsx';

/** Kept over a reload, and lost when the page's tab is closed. */
export interface ViewState {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}

type Change<T> = (next: T | ((now: T) => T)) => void;

/** Like `useState`, but kept. What no longer fits counts as nothing. */
export function useViewState<T>(
  viewState: ViewState,
  key: string,
  schema: z.ZodType<T>,
  initial: T,
): readonly [T, Change<T>] {
  const [value, setValue] = useState<T>(() => {
    const before = schema.safeParse(viewState.get(key));
    return before.success ? before.data : initial;
  });
  const change: Change<T> = (next) =>
    setValue((now) => {
      const then = typeof next === 'function' ? (next as (now: T) => T)(now) : next;
      viewState.set(key, then);
      return then;
    });
  return [value, change];
}

/** Like `useState`, but stored as a draft unless it is `initial`. What no longer fits counts as nothing. */
export function useDraft<T>(
  store: DraftStore,
  key: string,
  schema: z.ZodType<T>,
  initial: T,
): readonly [T, Change<T>] {
  const [, redraw] = useState(0);
  useEffect(() => {
    const listening = store.onDidChange(() => redraw((count) => count + 1));
    return () => listening.dispose();
  }, []);
  const read = (raw: unknown): T => {
    const before = schema.safeParse(raw);
    return before.success ? before.data : initial;
  };
  const raw = store.get(key);
  const value = useMemo(() => read(raw), [key, raw]);
  const change: Change<T> = (next) => {
    const then = typeof next === 'function' ? (next as (now: T) => T)(read(store.get(key))) : next;
    store.set(key, canonicalJson(then) === canonicalJson(initial) ? undefined : then);
  };
  return [value, change];
}

/** A draft that can't be stored is said at once. */
export function DraftNote({ store }: { readonly store: DraftStore }) {
  const [status, setStatus] = useState(store.status);
  useEffect(() => {
    const listening = store.onDidChange(() => setStatus(store.status));
    setStatus(store.status);
    return () => listening.dispose();
  }, []);
  if (status.kind === 'none') return null;
  if (status.kind === 'failed')
    return (
      <p class="failure" role="alert">
        <Icon name="error" /> {l10n.t('Your draft can’t be saved: {0}', status.problem)}
      </p>
    );
  return (
    <p class="draft-note">
      <span>{draftText(status.kind)}</span>
    </p>
  );
}

async function announceDraft(page: {
  readonly draftStore: DraftStore;
  announce(text: string): void;
}): Promise<void> {
  page.announce(draftText((await page.draftStore.settled()).kind));
}

function draftText(kind: DraftStatus['kind']): string {
  const texts: Readonly<Record<DraftStatus['kind'], string>> = {
    none: l10n.t('Nothing to save.'),
    storing: l10n.t('Saving draft…'),
    stored: l10n.t('Draft saved. It isn’t sent yet.'),
    failed: l10n.t('Your draft can’t be saved.'),
  };
  return texts[kind];
}

function isSaveKey({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 's' && (ctrlKey || metaKey) && !shiftKey && !altKey;
}

/** The editor marks every press of the key as handled, so that the browser saves nothing. */
const savedBy = new WeakSet<KeyboardEvent>();

/** The editor itself has nothing to save in a page. `save` is false where it has nothing to save either. */
export function useSaveKey(save: () => boolean): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!isSaveKey(event) || !save()) return;
      event.preventDefault();
      savedBy.add(event);
    };
    // Before the page itself, which says that there is nothing to save.
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  });
}

/** For the page as a whole, whose drafts are stored anyway. */
export function useDraftSaveKey(page: Parameters<typeof announceDraft>[0]): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!isSaveKey(event) || savedBy.has(event)) return;
      event.preventDefault();
      void announceDraft(page);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
