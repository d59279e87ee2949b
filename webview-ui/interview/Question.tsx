import type { InterviewTexts, PageQuestion } from '../../src/protocol/pages/interview.ts';
import { AnswerForm } from './AnswerForm.tsx';
import type { Draft } from './drafts.ts';

interface Props {
  readonly question: PageQuestion;
  readonly draft: Draft;
  readonly texts: InterviewTexts;
  readonly disabled: boolean;
  readonly isMissing: boolean;
  readonly onChange: (draft: Draft) => void;
}

/** A question that waits for an answer. */
export function Question({ question, draft, texts, disabled, isMissing, onChange }: Props) {
  const id = `question-${question.id}`;
  return (
    <section class={`card question${isMissing ? ' missing' : ''}`} aria-labelledby={id}>
      <div class="row">
        <span class={`priority ${question.priority}`}>{texts[question.priority]}</span>
        <span class="quiet">{question.id}</span>
      </div>
      <h3 id={id} class="plain" tabIndex={-1}>
        {question.question}
      </h3>
      {question.rationale !== '' && (
        <p class="quiet plain">
          {texts.why}: {question.rationale}
        </p>
      )}
      <AnswerForm question={question} draft={draft} texts={texts} disabled={disabled} onChange={onChange} />
      {isMissing && (
        <p class="problem" role="alert">
          {texts.missing}
        </p>
      )}
    </section>
  );
}
