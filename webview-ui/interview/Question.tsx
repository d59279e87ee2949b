import * as l10n from '@vscode/l10n';
import type { PageQuestion } from '../../src/protocol/pages/interview.ts';
import { AnswerForm } from './AnswerForm.tsx';
import type { Draft } from './drafts.ts';

interface Props {
  readonly question: PageQuestion;
  readonly draft: Draft;
  readonly disabled: boolean;
  readonly isMissing: boolean;
  readonly onChange: (draft: Draft) => void;
}

/** A question that waits for an answer. */
export function Question({ question, draft, disabled, isMissing, onChange }: Props) {
  const id = `question-${question.id}`;
  return (
    <section class={`card question${isMissing ? ' missing' : ''}`} aria-labelledby={id}>
      <div class="row">
        <span class={`priority ${question.priority}`}>{priorityText(question.priority)}</span>
        <span class="quiet">{question.id}</span>
      </div>
      <h3 id={id} class="plain" tabIndex={-1}>
        {question.question}
      </h3>
      {question.rationale !== '' && (
        <p class="quiet plain">{l10n.t('Reason for this question: {0}', question.rationale)}</p>
      )}
      <AnswerForm question={question} draft={draft} disabled={disabled} onChange={onChange} />
      {isMissing && (
        <p class="problem" role="alert">
          {l10n.t('Answer or skip this question.')}
        </p>
      )}
    </section>
  );
}

function priorityText(priority: PageQuestion['priority']): string {
  switch (priority) {
    case 'critical':
      return l10n.t('critical');
    case 'high':
      return l10n.t('important');
    case 'medium':
      return l10n.t('useful');
    case 'low':
      return l10n.t('nice to know');
  }
}
