import { useEffect, useState } from 'preact/hooks';
import * as z from 'zod';
import { TextField } from '../base/elements.tsx';
import { useViewState } from '../base/viewState.ts';
import { Tabs } from '../base/Tabs.tsx';
import { LogLines } from './LogLines.tsx';
import type { Tools } from './tools.ts';

/** Typing isn't searching yet. */
const typingMs = 300;
const own = ['all', 'engine', 'command', 'problems'] as const;

/** The log by who spoke, with a search. Tab and search are kept. */
export function Logs({ page, models, news }: { readonly page: Tools; readonly models: readonly string[]; readonly news: unknown }) {
  const { texts } = page;
  const [chosen, choose] = useViewState(page.viewState, 'logTab', z.string(), 'all');
  const [typed, setTyped] = useViewState(page.viewState, 'logSearch', z.string().max(1_000), '');
  const [text, setText] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setText(typed), typingMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const tabs = [...own.map((key) => ({ key, title: texts[`log_${key}`] })), ...models.map((key) => ({ key, title: key }))];
  const shown = tabs.some(({ key }) => key === chosen) ? chosen : 'all';
  const query = {
    ...(shown === 'all' || shown === 'problems' ? {} : { source: shown }),
    ...(shown === 'problems' ? { problems: true } : {}),
    ...(text.trim() === '' ? {} : { text: text.trim() }),
  };
  return (
    <section class="logs">
      <TextField label={texts.search} value={typed} onInput={setTyped} maxLength={1_000} />
      <Tabs label={texts.logTabs} tabs={tabs} chosen={shown} onChoose={choose}>
        <LogLines key={JSON.stringify(query)} query={query} page={page} news={news} />
      </Tabs>
    </section>
  );
}
