import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ParamsOf } from '../../../src/protocol/pages/frame.ts';
import type { LogRow } from '../../../src/protocol/pages/ticket.ts';
import { Button } from '../../base/elements.tsx';
import { PageFailure } from '../../base/pageLink.ts';
import { Empty } from '../shared/Empty.tsx';
import { when } from '../../base/format.ts';
import { Loading } from '../shared/Loading.tsx';
import { merged, type Pages } from './logPages.ts';
import type { Contract, Tools } from '../shared/tools.ts';

interface LogLinesProps {
  readonly query: ParamsOf<Contract, 'log'>;
  readonly page: Tools;
  readonly news: unknown;
}

/** Lines of one search, the newest below; earlier ones on demand, new ones as they come. */
export function LogLines({ query, page, news }: LogLinesProps) {
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

  // Who reads at the end stays there; who reads further up stays where they are, whatever comes above or
  // below.
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

function Line({ line: { at, source, level, text } }: { readonly line: LogRow }) {
  return (
    <div class={`line line-${level}`}>
      <span class="quiet">
        {when(at)} {source}
      </span>{' '}
      <span class="plain">{text}</span>
    </div>
  );
}
