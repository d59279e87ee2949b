import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import * as z from 'zod';
import { visible } from '../../../src/base/visible.ts';
import type { ParamsOf, ResultOf } from '../../../src/protocol/pages/frame.ts';
import type { ticketPage, TicketState } from '../../../src/protocol/pages/ticket.ts';
import { Button, Icon, IconButton, ProgressRing, TextArea } from '../../base/elements.tsx';
import { useDraft } from '../../base/keptState.tsx';
import type { PageTools } from '../../base/page.tsx';
import { NewestRequest } from '../../base/newestRequest.ts';
import { PageFailure } from '../../base/pageLink.ts';
import { Failure, useRequest } from '../../base/useRequest.tsx';

export type Contract = typeof ticketPage;
export type Tools = PageTools<Contract>;

export interface Acting {
  readonly page: Tools;
  /** Anything can be done here now. */
  readonly canAct: boolean;
}

export interface TicketProps extends Acting {
  readonly state: TicketState;
}

type Method = keyof Contract['requests'];

interface Loaded<T> {
  /** Undefined until the first answer; the newest one from then on. */
  readonly value: T | undefined;
  readonly failure: PageFailure | undefined;
}

/** Asks again whenever `news` differs, but never twice at a time. */
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
  const asking = useRef(new NewestRequest());
  useEffect(() => () => asking.current.stop(), []);
  useEffect(() => {
    asking.current.ask(async () => {
      try {
        const value = await page.request(method, params);
        setLoaded({ value, failure: undefined });
      } catch (error) {
        if (!(error instanceof PageFailure)) throw error;
        setLoaded(({ value }) => ({ value, failure: error }));
      }
    });
  }, [news]);
  return loaded;
}

/** In the place of something that isn't there yet, or couldn't be had. */
export function Loading({ failure }: { readonly failure: PageFailure | undefined }) {
  if (failure)
    return (
      <p class="problem" role="alert">
        {failure.message} {failure.nextStep}
      </p>
    );
  return (
    <p class="quiet">
      <ProgressRing /> {l10n.t('Loading…')}
    </p>
  );
}

/** In the place of what isn't there yet: what will be. */
export function Empty({ text }: { readonly text: string }) {
  return (
    <p class="quiet empty">
      <Icon name="info" /> {text}
    </p>
  );
}

/** Text from outside, with marks for what is hidden in it, which scrolls by keyboard too. */
export function LongText({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <pre class="long" tabIndex={0} role="region" aria-label={label}>
      {visible(text)}
    </pre>
  );
}

/** Nothing if no name is known. */
export function FailedTests({ tests }: { readonly tests: readonly string[] }) {
  if (tests.length === 0) return null;
  return (
    <p class="wrap">
      <strong>{l10n.t('Failing tests:')}</strong> {tests.join(', ')}
    </p>
  );
}

interface RunButtonProps {
  /** It asks for what it needs by itself. */
  readonly command: string;
  readonly icon: string;
  readonly page: Tools;
  readonly children: ComponentChildren;
}

export function RunButton({ command, icon, page, children }: RunButtonProps) {
  const running = useRequest(page, 'run');
  return (
    <>
      <Button secondary icon={icon} disabled={running.isBusy} onClick={() => void running.send({ command })}>
        {children}
      </Button>
      <Failure of={running} />
    </>
  );
}

interface DiffButtonProps {
  readonly bead: string;
  /** Null: what the bead came to. */
  readonly iteration: number | null;
  readonly page: Tools;
}

export function DiffButton({ bead, iteration, page }: DiffButtonProps) {
  const showing = useRequest(page, 'open');
  const label =
    iteration === null
      ? l10n.t('Show changes of {0}', bead)
      : l10n.t('Show changes of {0}, iteration {1}', bead, iteration);
  const show = (): Promise<unknown> =>
    showing.send({ command: 'showDiff', bead, ...(iteration === null ? {} : { iteration }) });
  return (
    <>
      <IconButton icon="diff" label={label} onClick={() => void show()} />
      <Failure of={showing} />
    </>
  );
}

/** Scrolls by itself, by keyboard too. A label, or the id of its heading, names it. */
export function Table({
  label,
  heading,
  children,
}: {
  readonly label?: string;
  readonly heading?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label} aria-labelledby={heading}>
      <table>{children}</table>
    </div>
  );
}

export function Head({
  number = false,
  children,
}: {
  readonly number?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <th scope="col" class={number ? 'number' : undefined}>
      {children}
    </th>
  );
}

/** Columns of texts, then columns of numbers. */
export function Heads({
  texts,
  numbers = [],
}: {
  readonly texts: readonly string[];
  readonly numbers?: readonly string[];
}) {
  return (
    <thead>
      <tr>
        {texts.map((text) => (
          <Head key={text}>{text}</Head>
        ))}
        {numbers.map((text) => (
          <Head key={text} number>
            {text}
          </Head>
        ))}
      </tr>
    </thead>
  );
}

interface ReasonFormProps {
  readonly page: Tools;
  /** The key of its draft: what is typed is kept until it is sent. */
  readonly draft: string;
  readonly label: string;
  readonly button: string;
  readonly rows: number;
  readonly maxLength: number;
  readonly isBusy: boolean;
  /** True if it was taken. */
  readonly send: (reason: string) => Promise<boolean>;
  readonly onEnd: () => void;
  /** Stands below the buttons. */
  readonly children?: ComponentChildren;
}

export function ReasonForm(props: ReasonFormProps) {
  const { page, draft, label, button, rows, maxLength, isBusy, send, onEnd, children } = props;
  const [reason, setReason] = useDraft(page.draftStore, draft, z.string().max(maxLength), '');
  const onSend = async (): Promise<void> => {
    if (!(await send(reason.trim()))) return;
    setReason('');
    onEnd();
  };
  return (
    <div>
      <TextArea
        label={label}
        value={reason}
        rows={rows}
        maxLength={maxLength}
        disabled={isBusy}
        onInput={setReason}
      />
      <div class="row">
        <Button disabled={isBusy || reason.trim() === ''} onClick={() => void onSend()}>
          {button}
        </Button>
        <Button secondary disabled={isBusy} onClick={onEnd}>
          {l10n.t('Cancel')}
        </Button>
      </div>
      {children}
    </div>
  );
}
