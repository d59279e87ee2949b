import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import * as z from 'zod';
import type { ParamsOf } from '../../../src/protocol/pages/frame.ts';
import type { LogLine } from '../../../src/protocol/history.ts';
import { Button, Tabs, TextField } from '../../base/elements.tsx';
import { when } from '../../base/format.ts';
import { useViewState } from '../../base/keptState.tsx';
import { PageFailure } from '../../base/pageLink.ts';
import { merged, type Pages } from '../shared/lists.ts';
import { type Contract, Empty, Loading, type Tools } from '../shared/parts.tsx';

/** Typing isn't searching yet. */
const typingMs = 300;
const own = ['all', 'engine', 'command', 'problems'] as const;

export function Logs({
  page,
  models,
  news,
}: {
  readonly page: Tools;
  readonly models: readonly string[];
  readonly news: unknown;
}) {
  const [chosen, choose] = useViewState(page.viewState, 'logTab', z.string(), 'all');
  const [typed, setTyped] = useViewState(page.viewState, 'logSearch', z.string().max(1_000), '');
  const [text, setText] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setText(typed), typingMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const tabs = [
    ...own.map((key) => ({ key, title: logName(key) })),
    ...models.map((key) => ({ key, title: key })),
  ];
  const shown = tabs.some(({ key }) => key === chosen) ? chosen : 'all';
  const query = {
    ...(shown === 'all' || shown === 'problems' ? {} : { source: shown }),
    ...(shown === 'problems' ? { problems: true } : {}),
    ...(text.trim() === '' ? {} : { text: text.trim() }),
  };
  return (
    <section class="logs">
      <TextField label={l10n.t('Search log')} value={typed} onInput={setTyped} maxLength={1_000} />
      <Tabs label={l10n.t('Source')} tabs={tabs} chosen={shown} onChoose={choose}>
        <LogLines key={JSON.stringify(query)} query={query} page={page} news={news} />
      </Tabs>
    </section>
  );
}

function logName(log: (typeof own)[number]): string {
  const texts: Readonly<Record<(typeof own)[number], string>> = {
    all: l10n.t('All'),
    engine: l10n.t('Engine'),
    command: l10n.t('Commands'),
    problems: l10n.t('Problems'),
  };
  return texts[log];
}

interface LogLinesProps {
  readonly query: ParamsOf<Contract, 'log'>;
  readonly page: Tools;
  readonly news: unknown;
}

/** The newest below; earlier ones on demand, new ones as they come. */
function LogLines({ query, page, news }: LogLinesProps) {
  const [pages, setPages] = useState<Pages>();
  const [failure, setFailure] = useState<PageFailure>();
  const [isBusy, setBusy] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const place = useRef({ isAtEnd: true, fromEnd: 0 });

  const load = async (before?: number): Promise<void> => {
    setBusy(true);
    try {
      const answer = await page.request('log', { ...query, ...(before === undefined ? {} : { before }) });
      setPages((known) => merged(known, answer, before));
      setFailure(undefined);
    } catch (error) {
      if (!(error instanceof PageFailure)) throw error;
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => void load(), [news]);

  // Who reads at the end stays there; who reads further up stays where they are.
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    current.scrollTop = place.current.isAtEnd
      ? current.scrollHeight
      : current.scrollHeight - place.current.fromEnd;
  }, [pages?.lines[0]?.number, place.current.isAtEnd ? pages?.lines.at(-1)?.number : undefined]);

  if (!pages) return <Loading failure={failure} />;
  const { lines, earlier } = pages;
  const isSearch = Object.keys(query).length > 0;
  return (
    <>
      <div
        class="log"
        role="log"
        aria-live="off"
        aria-label={l10n.t('Logs')}
        tabIndex={0}
        ref={box}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          place.current = {
            isAtEnd: scrollHeight - scrollTop - clientHeight < 24,
            fromEnd: scrollHeight - scrollTop,
          };
        }}
      >
        {earlier !== null && (
          <Button secondary disabled={isBusy} onClick={() => void load(earlier)}>
            {l10n.t('Earlier Lines')}
          </Button>
        )}
        {lines.length === 0 && (
          <Empty
            text={
              earlier !== null
                ? l10n.t('No matching lines yet.')
                : isSearch
                  ? l10n.t('No matching lines.')
                  : l10n.t('The log is empty. It records what the engine, commands and models do.')
            }
          />
        )}
        {lines.map((line) => (
          <Line key={line.number} line={line} />
        ))}
      </div>
      {failure && <Loading failure={failure} />}
    </>
  );
}

function Line({ line: { at, source, level, text } }: { readonly line: LogLine }) {
  return (
    <div class={`line line-${level}`}>
      <span class="quiet">
        {when(at)} {source}
      </span>{' '}
      <span class="plain">{text}</span>
    </div>
  );
}
