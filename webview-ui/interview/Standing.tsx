import { useState } from 'preact/hooks';
import type { InterviewPage, InterviewState, InterviewTexts } from '../../src/protocol/pages/interview.ts';
import { Button, Icon, ProgressRing } from '../base/elements.tsx';
import { fill } from '../base/fill.ts';
import { type PageTools, useHints } from '../base/page.tsx';
import { Failure, useRequest } from '../base/useRequest.tsx';

type Tools = PageTools<InterviewPage, keyof InterviewTexts>;

/** How it stands with the interview, as long as nothing is asked. */
export function Standing({ state, page, refusal }: { readonly state: InterviewState; readonly page: Tools; readonly refusal: string }) {
  const { texts } = page;
  switch (state.phase) {
    case 'asking':
      return null;
    case 'early':
      return <p class="card">{texts.early}</p>;
    case 'thinking':
      return <Thinking page={page} />;
    case 'stopped':
      return (
        <p class="card plain">
          <Icon name="debug-pause" /> {fill(texts.stopped, state.problem)}
        </p>
      );
    case 'over':
      return <Over state={state} page={page} refusal={refusal} />;
  }
}

/** Who can't see it isn't told of every line. */
function Thinking({ page }: { readonly page: Tools }) {
  const [hint, setHint] = useState('');
  useHints(page, ({ text }) => setHint(text));
  return (
    <div class="card thinking">
      <p role="status">
        <ProgressRing /> {page.texts.thinking}
      </p>
      <p class="quiet hint" aria-hidden="true">
        {hint}
      </p>
    </div>
  );
}

function Over({ state, page, refusal }: { readonly state: InterviewState; readonly page: Tools; readonly refusal: string }) {
  const { texts } = page;
  const approve = useRequest(page, 'approve');
  if (!state.approvable) return <p class="card">{texts.over}</p>;
  return (
    <div class="card">
      <p>{texts.overApprovable}</p>
      <Failure failure={approve.failure} base={page.base} onDismiss={approve.dismiss} />
      <Button disabled={refusal !== ''} onClick={() => void approve.send(null)}>
        {texts.approve}
      </Button>
    </div>
  );
}
