import '../base/page.css';
import './setup.css';
import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import { type CheckLine, setupPage, type SetupState } from '../../src/protocol/pages/setup.ts';
import { Button, Icon, ProgressRing, usePrimaryKey } from '../base/elements.tsx';
import { Heading } from '../base/headings.tsx';
import { type PageProps, type PageTools, startPage } from '../base/page.tsx';
import { Failure, useRequest } from '../base/useRequest.tsx';
import { resultIcons, setupNews } from './setupNews.ts';

type Contract = typeof setupPage;

/** A line for each check, with the button that helps beside it. */
function SetupView({ state, page }: PageProps<Contract>) {
  const { title, isRunning, summary, groups } = state;
  const check = useRequest<Contract, 'check'>(page, 'check');
  const cancel = useRequest<Contract, 'cancel'>(page, 'cancel');
  const copy = useRequest<Contract, 'copy'>(page, 'copy');
  useNews(page, state);
  usePrimaryKey();
  return (
    <main>
      <h1>{title}</h1>
      <p>{summary}</p>
      <div class="actions">
        <Button disabled={isRunning} onClick={() => void check.send(null)}>
          {l10n.t('Check Again')}
        </Button>
        {isRunning ? (
          <Button secondary onClick={() => void cancel.send(null)}>
            {l10n.t('Cancel')}
          </Button>
        ) : (
          <Button
            secondary
            onClick={() =>
              void copy.send(null).then(({ ok }) => {
                if (ok) page.announce(l10n.t('Copied.'));
              })
            }
          >
            {l10n.t('Copy as Text')}
          </Button>
        )}
      </div>
      {[check, cancel, copy].map((request, place) => (
        <Failure key={place} of={request} />
      ))}
      {groups.map((group, place) => (
        <section key={place} aria-labelledby={`group-${String(place)}`}>
          <Heading id={`group-${String(place)}`}>{group.title}</Heading>
          <ul class="checks">
            {group.lines.map((line) => (
              <Line key={line.id} line={line} page={page} />
            ))}
          </ul>
        </section>
      ))}
      {isRunning && (
        <p class="running">
          <ProgressRing /> {l10n.t('Checking setup…')}
        </p>
      )}
    </main>
  );
}

function Line({ line, page }: { readonly line: CheckLine; readonly page: PageTools<Contract> }) {
  const { id, result, word, subject, sentence, said, nextStep, fix } = line;
  const request = useRequest<Contract, 'fix'>(page, 'fix');
  return (
    <li class={`check check-${result}`}>
      <Icon name={resultIcons[result]} />
      <div class="check-text">
        <div class="wrap">
          <span class="unseen">{word}: </span>
          <strong>{subject}</strong> {sentence}
        </div>
        {nextStep !== '' && <div class="quiet wrap">{nextStep}</div>}
        {said !== '' && <pre class="plain quiet">{said}</pre>}
        <Failure of={request} />
      </div>
      {fix !== '' && (
        <Button secondary label={`${fix} (${subject})`} onClick={() => void request.send({ id })}>
          {fix}
        </Button>
      )}
    </li>
  );
}

function useNews(page: PageTools<Contract>, state: SetupState): void {
  const before = useRef<SetupState>(undefined);
  useEffect(() => {
    const news = setupNews(before.current, state);
    before.current = state;
    if (news !== '') page.announce(news);
  }, [state]);
}

startPage(setupPage, SetupView);
