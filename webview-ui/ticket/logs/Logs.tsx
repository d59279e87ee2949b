import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import * as z from 'zod';
import { TextField } from '../../base/elements.tsx';
import { useViewState } from '../../base/viewState.ts';
import { Tabs } from '../../base/Tabs.tsx';
import { LogLines } from './LogLines.tsx';
import type { Tools } from '../shared/tools.ts';

/** Typing isn't searching yet. */
const typingMs = 300;
const own = ['all', 'engine', 'command', 'problems'] as const;

/** The log by who spoke, with a search. Tab and search are kept. */
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
  switch (log) {
    case 'all':
      return l10n.t('All');
    case 'engine':
      return l10n.t('Engine');
    case 'command':
      return l10n.t('Commands');
    case 'problems':
      return l10n.t('Problems');
  }
}
