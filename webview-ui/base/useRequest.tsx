import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import { isRecord } from '../../src/base/json.ts';
import type { Settled } from '../../src/base/result.ts';
import type { PageContract, ParamsOf, ResultOf } from '../../src/protocol/pages/frame.ts';
import { Icon, IconButton } from './elements.tsx';
import type { PageTools } from './page.tsx';
import { PageFailure } from './pageLink.ts';

export interface RequestState<C extends PageContract, M extends keyof C['requests'] & string> {
  readonly isBusy: boolean;
  readonly failure: PageFailure | undefined;
  /** True if what was sent last is pending in the inbox: nobody has taken it yet. */
  readonly isFiled: boolean;
  /** Never rejects: a failure is kept in `failure` and returned. */
  readonly send: (params: ParamsOf<C, M>) => Promise<Settled<ResultOf<C, M>, PageFailure>>;
  readonly dismiss: () => void;
}

/** A request as a form needs it: whether it is under way, and its result. */
export function useRequest<C extends PageContract, M extends keyof C['requests'] & string>(
  page: PageTools<C>,
  method: M,
): RequestState<C, M> {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<PageFailure>();
  const [isFiled, setFiled] = useState(false);
  const dismiss = (): void => {
    setFailure(undefined);
    setFiled(false);
  };
  const send: RequestState<C, M>['send'] = async (params) => {
    setBusy(true);
    dismiss();
    try {
      const value = await page.request(method, params);
      setFiled(isRecord(value) && value['state'] === 'pending');
      return { ok: true, value };
    } catch (error) {
      if (!(error instanceof PageFailure)) throw error;
      setFailure(error);
      return { ok: false, error };
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, failure, isFiled, send, dismiss };
}

/** A failure where it happened. It is read out at once, and stays until it is dismissed or the next try. */
export function Failure({
  failure,
  text,
  onDismiss,
}: {
  readonly failure: PageFailure | undefined;
  /** The page's own words for it, where it knows better what happened. */
  readonly text?: string;
  readonly onDismiss: () => void;
}) {
  if (!failure) return null;
  return (
    <div class="failure" role="alert">
      <Icon name="error" />
      <span class="grow">{text ?? `${failure.message} ${failure.nextStep}`}</span>
      <IconButton icon="close" label={l10n.t('Dismiss')} onClick={onDismiss} />
    </div>
  );
}

/**
 * Returns the text for a person once something was sent. `done`: for what was taken at once; otherwise it
 * waits in the inbox.
 */
export function sentText(state: 'consumed' | 'pending' | 'left', done: string): string {
  return state === 'pending' ? queuedText() : done;
}

function queuedText(): string {
  return l10n.t('Queued; applied when work resumes.');
}

/**
 * Shows where something was sent that it waits in the inbox: people who don't see it are told by `announce`.
 */
export function Filed({ isShown }: { readonly isShown: boolean }) {
  if (!isShown) return null;
  return (
    <p class="quiet">
      <Icon name="inbox" /> {queuedText()}
    </p>
  );
}
