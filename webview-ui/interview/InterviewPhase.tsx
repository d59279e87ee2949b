import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { InterviewPage, InterviewState } from '../../src/protocol/pages/interview.ts';
import { Button, Icon, ProgressRing } from '../base/elements.tsx';
import { type PageTools, useHints } from '../base/page.tsx';
import { Failure, useRequest } from '../base/useRequest.tsx';

type Tools = PageTools<InterviewPage>;

/** Shows what the interview is doing while no question is open. */
export function InterviewPhase({
  state,
  page,
  refusal,
}: {
  readonly state: InterviewState;
  readonly page: Tools;
  readonly refusal: string;
}) {
  switch (state.phase) {
    case 'asking':
      return null;
    case 'early':
      return <p class="card">{l10n.t('No questions yet. The council is preparing them.')}</p>;
    case 'thinking':
      return <Thinking page={page} />;
    case 'stopped':
      return (
        <p class="card plain">
          <Icon name="debug-pause" /> {l10n.t('Interview paused: {0}', state.problem)}
        </p>
      );
    case 'over':
      return <Over state={state} page={page} refusal={refusal} />;
  }
}

/**
 * Shows that the model is thinking, with its last line. People who can't see it aren't notified of every
 * line.
 */
function Thinking({ page }: { readonly page: Tools }) {
  const [hint, setHint] = useState('');
  useHints(page, ({ text }) => setHint(text));
  return (
    <div class="card thinking">
      <p role="status">
        <ProgressRing /> {l10n.t('The model is reading your answers…')}
      </p>
      <p class="quiet hint" aria-hidden="true">
        {hint}
      </p>
    </div>
  );
}

function Over({
  state,
  page,
  refusal,
}: {
  readonly state: InterviewState;
  readonly page: Tools;
  readonly refusal: string;
}) {
  const approve = useRequest(page, 'approve');
  if (!state.approvable)
    return (
      <p class="card">
        {l10n.t('The interview is complete. Your answers are part of the interview document.')}
      </p>
    );
  return (
    <div class="card">
      <p>
        {l10n.t(
          'The interview is complete and ready for your approval. You can still change any answer there.',
        )}
      </p>
      <Failure failure={approve.failure} onDismiss={approve.dismiss} />
      <Button disabled={refusal !== ''} onClick={() => void approve.send(null)}>
        {l10n.t('Review and Approve…')}
      </Button>
    </div>
  );
}
