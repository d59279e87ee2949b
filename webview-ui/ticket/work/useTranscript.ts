import { useEffect, useRef, useState } from 'preact/hooks';
import { useHints } from '../../base/page.tsx';
import { PageFailure } from '../../base/pageLink.ts';
import type { Contract, Tools } from '../shared/parts.tsx';
import { type Entry, gapsIn, isIn, type Loaded, loaded, live, type Scope } from './entries.ts';

/** The log is written a moment later than what is told. */
const healMs = 1_500;

interface Transcript {
  /** Undefined until the first page came. */
  readonly entries: readonly Entry[] | undefined;
  /** The place where the page before begins; null: this is all. */
  readonly earlier: number | null;
  readonly failure: PageFailure | undefined;
  readonly isBusy: boolean;
  readonly loadEarlier: () => void;
}

interface Options {
  readonly page: Tools;
  readonly scope: Scope | undefined;
  /** Requested again when it differs. */
  readonly stamp: string;
  /** The person reads at the end, and doesn't miss what is dropped at the start. */
  readonly isAtEnd: { readonly current: boolean };
}

/** The newest page of the transcript and what is told meanwhile, and earlier pages on demand. */
export function useTranscript({ page, scope, stamp, isAtEnd }: Options): Transcript {
  const [known, setKnown] = useState<Loaded>({ entries: [], earlier: undefined });
  const [failure, setFailure] = useState<PageFailure>();
  const [isBusy, setBusy] = useState(false);
  const isShown = useRef(true);
  useEffect(
    () => () => {
      isShown.current = false;
    },
    [],
  );

  const load = async (before?: number): Promise<void> => {
    setBusy(true);
    const asked = { ...scope, ...(before === undefined ? {} : { before }) };
    try {
      const answer = await page.request('transcript', asked);
      if (!isShown.current) return;
      setKnown((now) => loaded(now, answer, before));
      setFailure(undefined);
    } catch (error) {
      if (!(error instanceof PageFailure)) throw error;
      if (isShown.current) setFailure(error);
    }
    if (isShown.current) setBusy(false);
  };
  useHints<Contract>(page, (hint) => {
    if (isIn(hint, scope)) setKnown((now) => live(now, hint, isAtEnd.current));
  });
  const { entries, earlier } = known;
  const isCut = earlier === 'cut';
  useEffect(() => void load(), [stamp, isCut]);
  const gaps = gapsIn(entries);
  useEffect(() => {
    if (gaps === 0) return undefined;
    const timer = setTimeout(() => void load(), healMs);
    return () => clearTimeout(timer);
  }, [gaps]);

  const before = typeof earlier === 'number' ? earlier : null;
  return {
    entries: earlier === undefined ? undefined : entries,
    earlier: before,
    failure,
    isBusy,
    loadEarlier: () => {
      if (before !== null) void load(before);
    },
  };
}
