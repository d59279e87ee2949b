import { useEffect, useRef, useState } from 'preact/hooks';
import type { ParamsOf, ResultOf } from '../../../src/protocol/pages/frame.ts';
import { PageFailure } from '../../base/pageLink.ts';
import type { Contract, Tools } from './tools.ts';

type Method = keyof Contract['requests'];

export interface Loaded<T> {
  /** Undefined until the first answer; the newest one from then on. */
  readonly value: T | undefined;
  readonly failure: PageFailure | undefined;
}

/**
 * Asks for something, and again whenever `news` differs. There is one question at a time, however fast the
 * news comes.
 */
export function useLoaded<M extends Method>(
  page: Tools,
  method: M,
  params: ParamsOf<Contract, M>,
  news: unknown,
): Loaded<ResultOf<Contract, M>> {
  const [loaded, setLoaded] = useState<Loaded<ResultOf<Contract, M>>>({
    value: undefined,
    failure: undefined,
  });
  const asking = useRef({ isBusy: false, isWanted: false, isShown: true });
  useEffect(() => {
    const state = asking.current;
    state.isShown = true;
    return () => {
      state.isShown = false;
    };
  }, []);
  useEffect(() => {
    const state = asking.current;
    state.isWanted = true;
    if (state.isBusy) return;
    state.isBusy = true;
    const ask = async (): Promise<void> => {
      while (state.isWanted && state.isShown) {
        state.isWanted = false;
        try {
          const value = await page.request(method, params);
          setLoaded({ value, failure: undefined });
        } catch (error) {
          if (!(error instanceof PageFailure)) throw error;
          setLoaded(({ value }) => ({ value, failure: error }));
        }
      }
    };
    void ask().finally(() => (state.isBusy = false));
  }, [news]);
  return loaded;
}
