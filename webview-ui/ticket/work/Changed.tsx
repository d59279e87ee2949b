import * as l10n from '@vscode/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import { visible } from '../../../src/base/visible.ts';
import { count } from '../../base/format.ts';
import { Failure, useRequest } from '../../base/useRequest.tsx';
import { type Tools, useLoaded } from '../shared/parts.tsx';
import type { Scope } from './entries.ts';
import { Lines } from './ToolCard.tsx';

/** Git reads the whole worktree for it. */
const everyMs = 3_000;
const mostShown = 100;

interface ChangedProps {
  readonly scope: Scope;
  /** Differs whenever a tool may have changed something. */
  readonly news: string;
  readonly page: Tools;
}

/** The files that an iteration changed so far; a click opens the diff. */
export function Changed({ scope, news, page }: ChangedProps) {
  const { value } = useLoaded(page, 'changed', scope, useSeldom(news));
  const opening = useRequest(page, 'open');
  if (!value || value.files.length === 0) return null;
  const { files, total } = value;
  const sum = (of: 'added' | 'deleted') => files.reduce((lines, file) => lines + (file[of] ?? 0), 0);
  const show = (): void => void opening.send({ command: 'showDiff', ...scope });
  const title =
    total === 1 ? l10n.t('1 file changed so far') : l10n.t('{0} files changed so far', count(total));
  return (
    <details class="changed">
      <summary>
        {title} <Lines added={sum('added')} deleted={sum('deleted')} />
      </summary>
      <ul class="rows">
        {files.slice(0, mostShown).map(({ path, added, deleted }) => (
          <li key={path}>
            <button
              type="button"
              class="link code"
              aria-label={l10n.t('Show the diff of {0}', path)}
              onClick={show}
            >
              {visible(path)}
            </button>
            <Lines added={added} deleted={deleted} />
          </li>
        ))}
      </ul>
      {total > mostShown && (
        <p class="quiet">{l10n.t('Only {0} of {1} files are listed.', mostShown, total)}</p>
      )}
      <Failure of={opening} />
    </details>
  );
}

/** The value, renewed at most so often. */
function useSeldom(value: string): string {
  const [seen, setSeen] = useState(value);
  const newest = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  newest.current = value;
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (value === seen) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      setSeen(newest.current);
    }, everyMs);
  }, [value, seen]);
  return seen;
}
