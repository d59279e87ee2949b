import * as l10n from '@vscode/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { InterviewPage, PageQuestion } from '../../src/protocol/pages/interview.ts';
import { Button, IconButton } from '../base/elements.tsx';
import type { PageTools } from '../base/page.tsx';
import { Failure, Filed, sentText, useRequest } from '../base/useRequest.tsx';
import { AnswerForm, labelOf } from './AnswerForm.tsx';
import { type Draft, draftOf, isComplete, toInput } from './drafts.ts';

interface Props {
  readonly question: PageQuestion;
  /** The input that was typed and not sent. */
  readonly draft: Draft | undefined;
  readonly page: PageTools<InterviewPage>;
  readonly editable: boolean;
  /** Undefined: nothing is to be kept. */
  readonly onDraft: (draft: Draft | undefined) => void;
}

/**
 * A question that was answered or skipped, and the way to change that. What is being typed is kept like any
 * other draft.
 */
export function Answered({ question, draft, page, editable, onDraft }: Props) {
  const change = useRequest(page, 'answer');
  const [isOpen, setOpen] = useState(false);
  const [isResumed, setResumed] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const row = useRef<HTMLLIElement>(null);
  const isEditing = editable && isOpen;
  const present = draft ?? draftOf({}, question);

  useEffect(() => {
    if (isEditing) form.current?.querySelector<HTMLElement>('input, vscode-textarea')?.focus();
  }, [isEditing]);

  // What was filed was taken.
  useEffect(() => change.dismiss(), [JSON.stringify(question.answer)]);

  const open = (): void => {
    setOpen(true);
    setResumed(draft !== undefined);
  };
  const close = (): void => {
    setOpen(false);
    onDraft(undefined);
    row.current?.querySelector<HTMLElement>('.icon-button')?.focus();
  };
  const cancel = (): void => {
    change.dismiss();
    close();
  };
  const save = async (): Promise<void> => {
    const outcome = await change.send({ batch: null, answers: { [question.id]: toInput(present) } });
    if (!outcome.ok) return;
    page.announce(sentText(outcome.value.state, l10n.t('Your answers were sent.')));
    close();
  };

  return (
    <li ref={row}>
      <div class="row top">
        <div class="grow">
          <div class="plain asked">{question.question}</div>
          <div class="plain said">{answerText(question)}</div>
        </div>
        {draft && !isEditing && <span class="unsent">{l10n.t('not sent yet')}</span>}
        {editable && !isEditing && (
          <IconButton
            icon="edit"
            label={l10n.t('Edit the answer to: {0}', question.question)}
            onClick={open}
          />
        )}
      </div>
      <Filed isShown={change.isFiled} />
      {isEditing && (
        <div
          class="card"
          ref={form}
          onKeyDown={(event) => {
            // The page's own keys would send the open questions.
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
              event.stopPropagation();
              if (isComplete(present)) void save();
            }
            if (event.key === 'Escape') cancel();
          }}
        >
          {isResumed && (
            <p class="quiet">{l10n.t('This draft isn’t sent yet. It’s kept until you save or cancel.')}</p>
          )}
          <AnswerForm question={question} draft={present} disabled={change.isBusy} onChange={onDraft} />
          <Failure failure={change.failure} onDismiss={change.dismiss} />
          <div class="actions">
            <Button disabled={change.isBusy || !isComplete(present)} onClick={() => void save()}>
              {l10n.t('Save')}
            </Button>
            <Button secondary disabled={change.isBusy} onClick={cancel}>
              {l10n.t('Cancel')}
            </Button>
          </div>
        </div>
      )}
    </li>
  );
}

function answerText(question: PageQuestion): string {
  const { answer } = question;
  if (!answer) return '';
  if (answer.skipped)
    return answer.skip_reason === undefined ? l10n.t('Skipped') : l10n.t('Skipped: {0}', answer.skip_reason);
  const labels = answer.selected_option_ids.map((id) => {
    const option = question.options.find((candidate) => candidate.id === id);
    return labelOf(question, id, option?.label ?? id);
  });
  return [labels.join(' · '), answer.free_text].filter((part) => part !== '').join('\n');
}
