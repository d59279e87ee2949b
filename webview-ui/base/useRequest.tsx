import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import { isRecord } from '../../src/base/json.ts';
import type { Settled } from '../../src/base/result.ts';
import type { PageContract, ParamsOf, ResultOf } from '../../src/protocol/pages/frame.ts';
import { Icon, IconButton } from './elements.tsx';
import type { PageTools } from './page.tsx';
import { PageFailure } from './pageLink.ts';

interface Failing {
  readonly failure: PageFailure | undefined;
  readonly dismiss: () => void;
}

interface RequestState<C extends PageContract, M extends keyof C['requests'] & string> extends Failing {
  readonly isBusy: boolean;
  /** The last thing sent is in the inbox: nobody has taken it yet. */
  readonly isFiled: boolean;
  /** Never rejects: a failure is kept in `failure` and returned. */
  readonly send: (params: ParamsOf<C, M>) => Promise<Settled<ResultOf<C, M>, PageFailure>>;
  /** Sends it, and says that it is done, or waits in the inbox. True if it was taken. */
  readonly tell: (params: ParamsOf<C, M>, done: string) => Promise<boolean>;
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
      setFiled(isPending(value));
      return { ok: true, value };
    } catch (error) {
      if (!(error instanceof PageFailure)) throw error;
      setFailure(error);
      return { ok: false, error };
    } finally {
      setBusy(false);
    }
  };
  const tell: RequestState<C, M>['tell'] = async (params, done) => {
    const outcome = await send(params);
    if (outcome.ok) page.announce(isPending(outcome.value) ? queuedText() : done);
    return outcome.ok;
  };
  return { isBusy, failure, isFiled, send, tell, dismiss };
}

function isPending(value: unknown): boolean {
  return isRecord(value) && value['state'] === 'pending';
}

/** Read out at once; stays until it is dismissed or the next try. */
export function Failure({
  of: { failure, dismiss },
  text,
}: {
  readonly of: Failing;
  /** The page's own words for it, where it knows better what happened. */
  readonly text?: string | undefined;
}) {
  if (!failure) return null;
  return (
    <div class="failure" role="alert">
      <Icon name="error" />
      <span class="grow">{text ?? `${failure.message} ${failure.nextStep}`}</span>
      <IconButton icon="close" label={l10n.t('Dismiss')} onClick={dismiss} />
    </div>
  );
}

/** `done` if it was taken at once. */
export function sentText(state: 'consumed' | 'pending' | 'left', done: string): string {
  return state === 'pending' ? queuedText() : done;
}

function queuedText(): string {
  return l10n.t('Queued; applied when work resumes.');
}

/** People who don't see it are told by `announce`. */
export function Filed({ isShown }: { readonly isShown: boolean }) {
  if (!isShown) return null;
  return (
    <p class="quiet">
      <Icon name="inbox" /> {queuedText()}
    </p>
  );
}
