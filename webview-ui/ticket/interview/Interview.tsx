import * as l10n from '@vscode/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import { filed } from '../../../src/protocol/pages/frame.ts';
import type { InterviewState } from '../../../src/protocol/pages/interview.ts';
import { Button, Icon, ProgressRing } from '../../base/elements.tsx';
import { Heading } from '../../base/headings.tsx';
import { useDraft } from '../../base/keptState.tsx';
import { useHints } from '../../base/page.tsx';
import { NotAsked } from '../../base/planning.tsx';
import { Failure, Filed, sentText, useRequest } from '../../base/useRequest.tsx';
import { isSpeech } from '../shared/lists.ts';
import type { Acting } from '../shared/parts.tsx';
import { Answered, Question } from './Questions.tsx';
import { SkipAll } from './SkipAll.tsx';
import { draftOf, Drafts, isComplete, keptDraft, toInput, unsent, withDraft, without } from './drafts.ts';

interface InterviewProps extends Acting {
  readonly state: InterviewState;
}

export function Interview({ state, page, canAct }: InterviewProps) {
  const [drafts, setDrafts] = useDraft(page.draftStore, 'answers', Drafts, {});
  const [sent, setSent] = useState<readonly string[]>([]);
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [isPending, setPending] = useState(false);
  const answer = useRequest(page, 'act');
  const heading = useRef<HTMLDivElement>(null);
  const { batch, phase, questions } = state;
  const isAsking = phase === 'asking';
  const open = isAsking ? questions.filter(({ id }) => batch?.openIds.includes(id)) : [];
  const answered = questions.filter((question) => question.answer !== null);
  // What was taken stays as it is until the state says so as well.
  const isLocked =
    !canAct || answer.isBusy || (open.length > 0 && open.every(({ id }) => sent.includes(id)) && !isPending);

  useEffect(() => setDrafts((now) => unsent(now, questions)), [state]);

  useEffect(() => {
    const taken = sent.filter((id) => answered.some((question) => question.id === id));
    if (taken.length === 0) return;
    setDrafts((now) => without(now, taken));
    setSent(sent.filter((id) => !taken.includes(id)));
    setPending(false);
  }, [state]);

  const wasShown = useRef(false);
  useEffect(() => {
    const first = open[0];
    if (wasShown.current) {
      if (first)
        page.announce(
          open.length === 1 ? l10n.t('1 new question') : l10n.t('{0} new questions', open.length),
        );
      // The keyboard focus was on an element that is gone now.
      if (document.activeElement === document.body || document.activeElement === heading.current)
        (first ? document.getElementById(`question-${first.id}`) : heading.current)?.focus();
    }
    wasShown.current = true;
  }, [phase, batch?.number]);

  const submit = async (): Promise<void> => {
    if (isLocked || !batch || open.length === 0) return;
    const lacking = open.filter((question) => !isComplete(draftOf(drafts, question))).map(({ id }) => id);
    setMissing(lacking);
    if (lacking[0] !== undefined) {
      document.getElementById(`question-${lacking[0]}`)?.focus();
      return;
    }
    const answers = Object.fromEntries(
      open.map((question) => [question.id, toInput(draftOf(drafts, question))]),
    );
    const outcome = await answer.send(filed('answer', { batch: batch.number, answers }));
    if (!outcome.ok) return;
    setSent(Object.keys(answers));
    setPending(outcome.value.state === 'pending');
    page.announce(sentText(outcome.value.state, l10n.t('Your answers were sent.')));
  };

  return (
    <div
      class="interview"
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit();
      }}
    >
      {state.expected > 0 && (
        <div class="row progress" ref={heading} tabIndex={-1}>
          <progress value={answered.length} max={state.expected} aria-label={l10n.t('Interview')} />
          <span class="quiet">{l10n.t('Answered: {0} of about {1}', answered.length, state.expected)}</span>
        </div>
      )}
      <InterviewPhase state={state} page={page} />
      {open.length > 0 && batch && (
        <section aria-labelledby="batch">
          <Heading id="batch">{l10n.t('Questions, round {0}', batch.number)}</Heading>
          {batch.commentary !== '' && (
            <p class="plain commentary">
              <Icon name="comment" /> {batch.commentary}
            </p>
          )}
          {open.map((question) => (
            <Question
              key={question.id}
              question={question}
              draft={draftOf(drafts, question)}
              disabled={isLocked}
              isMissing={missing.includes(question.id) && !isComplete(draftOf(drafts, question))}
              onChange={(draft) => setDrafts((now) => withDraft(now, question, draft))}
            />
          ))}
          <Failure
            of={answer}
            text={
              answer.failure?.code === 'STALE_APPROVAL'
                ? l10n.t('The questions changed, so nothing was sent. Your text is kept below.')
                : undefined
            }
          />
          <Filed isShown={isPending} />
          <div class="actions">
            <Button disabled={isLocked} onClick={() => void submit()}>
              {answer.isBusy ? l10n.t('Sending…') : l10n.t('Send Answers')}
            </Button>
            <span class="quiet shortcut">{l10n.t('Press Alt+Enter to send.')}</span>
          </div>
          <SkipAll page={page} disabled={isLocked} />
        </section>
      )}
      {answered.length > 0 && (
        <section aria-labelledby="so-far">
          <Heading id="so-far">{l10n.t('Answers so far')}</Heading>
          {phase === 'thinking' && (
            <p class="quiet">{l10n.t('You can change answers again when the next questions arrive.')}</p>
          )}
          <ul class="answered">
            {answered.map((question) => (
              <Answered
                key={question.id}
                question={question}
                draft={sent.includes(question.id) ? undefined : keptDraft(drafts, question)}
                page={page}
                editable={isAsking && canAct}
                onDraft={(draft) =>
                  setDrafts((now) => (draft ? withDraft(now, question, draft) : without(now, [question.id])))
                }
              />
            ))}
          </ul>
        </section>
      )}
      <NotAsked {...state.notAsked} />
    </div>
  );
}

function InterviewPhase({ state, page }: Omit<InterviewProps, 'canAct'>) {
  switch (state.phase) {
    case 'asking':
      return null;
    case 'early':
      return <p>{l10n.t('No questions yet. The council is preparing them.')}</p>;
    case 'thinking':
      return <Thinking page={page} />;
    case 'stopped':
      return (
        <p class="plain">
          <Icon name="debug-pause" /> {l10n.t('Interview paused: {0}', state.problem)}
        </p>
      );
    case 'over':
      return <p>{l10n.t('The interview is complete.')}</p>;
  }
}

/** Characters that fit beside "the model is reading". */
const longestHint = 160;

/** The end of what the model writes, which isn't read out. */
function Thinking({ page }: Pick<InterviewProps, 'page'>) {
  const [text, setText] = useState('');
  useHints(page, (hint) => {
    if (isSpeech(hint)) setText((before) => (before + hint.text).replaceAll(/\s+/g, ' ').slice(-longestHint));
  });
  return (
    <div class="thinking">
      <p role="status">
        <ProgressRing /> {l10n.t('The model is reading your answers…')}
      </p>
      <p class="quiet hint" aria-hidden="true">
        {text}
      </p>
    </div>
  );
}
