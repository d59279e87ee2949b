import { useEffect, useRef, useState } from 'preact/hooks';

/** Work progresses many times a second; data is loaded again at most this often. */
const everyMs = 1_000;

/** A number that rises after `tell` was called, once for everything that was told within a second. */
export function useNews(): readonly [news: number, tell: () => void] {
  const [news, setNews] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const tell = (): void => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      setNews((before) => before + 1);
    }, everyMs);
  };
  return [news, tell];
}
