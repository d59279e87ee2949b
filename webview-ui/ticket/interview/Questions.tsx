import * as l10n from '@vscode/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import { joined } from '../../../src/base/joined.ts';
import { filed } from '../../../src/protocol/pages/frame.ts';
import type { PageQuestion } from '../../../src/protocol/pages/interview.ts';
import { Button, Checkbox, IconButton, Radio, TextArea } from '../../base/elements.tsx';
import { Heading } from '../../base/headings.tsx';
import { Failure, Filed, useRequest } from '../../base/useRequest.tsx';
import type { Tools } from '../shared/parts.tsx';
import { type Draft, draftOf, isComplete, toInput } from './drafts.ts';

interface QuestionProps {
  readonly question: PageQuestion;
  readonly draft: Draft;
  readonly disabled: boolean;
  readonly isMissing: boolean;
  readonly onChange: (draft: Draft) => void;
}

export function Question({ question, draft, disabled, isMissing, onChange }: QuestionProps) {
  const id = `question-${question.id}`;
  return (
    <section class={`card question${isMissing ? ' missing' : ''}`} aria-labelledby={id}>
      <div class="row">
        <span class={`priority ${question.priority}`}>{priorityText(question.priority)}</span>
        <span class="quiet">{question.id}</span>
      </div>
      <Heading below={1} id={id} class="plain" tabIndex={-1}>
        {question.question}
      </Heading>
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
  const texts: Readonly<Record<PageQuestion['priority'], string>> = {
    critical: l10n.t('critical'),
    high: l10n.t('important'),
    medium: l10n.t('useful'),
    low: l10n.t('nice to know'),
  };
  return texts[priority];
}

interface AnsweredProps {
  readonly question: PageQuestion;
  /** Typed and not sent. */
  readonly draft: Draft | undefined;
  readonly page: Tools;
  readonly editable: boolean;
  /** Undefined: nothing is to be kept. */
  readonly onDraft: (draft: Draft | undefined) => void;
}

/** A question that was answered or skipped, and the way to change that. */
export function Answered({ question, draft, page, editable, onDraft }: AnsweredProps) {
  const change = useRequest(page, 'act');
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
    const answers = { [question.id]: toInput(present) };
    if (await change.tell(filed('answer', { answers }), l10n.t('Your answers were sent.'))) close();
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
          <Failure of={change} />
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
  return joined([labels.join(' · '), answer.free_text], '\n');
}

interface AnswerFormProps {
  readonly question: PageQuestion;
  readonly draft: Draft;
  readonly disabled: boolean;
  readonly onChange: (draft: Draft) => void;
}

/** Options, own words, or leaving it to the models. */
function AnswerForm({ question, draft, disabled, onChange }: AnswerFormProps) {
  const { options } = question;
  const many = question.answer_type === 'multiple_choice';
  const choose = (id: string, chosen: boolean): void => {
    const others = many ? draft.selected.filter((one) => one !== id) : [];
    onChange({ ...draft, selected: chosen ? [...others, id] : others });
  };
  return (
    <>
      {!draft.skip && options.length > 0 && (
        <fieldset class="options" disabled={disabled}>
          <legend class="quiet">{many ? l10n.t('Choose one or more') : l10n.t('Choose one')}</legend>
          {options.map(({ id, label }) => {
            const props = {
              label: labelOf(question, id, label),
              checked: draft.selected.includes(id),
              disabled,
            };
            return many ? (
              <Checkbox key={id} {...props} onChange={(chosen) => choose(id, chosen)} />
            ) : (
              <Radio key={id} {...props} name={`answer-${question.id}`} onChange={() => choose(id, true)} />
            );
          })}
          {!many && draft.selected.length > 0 && (
            <Button secondary disabled={disabled} onClick={() => onChange({ ...draft, selected: [] })}>
              {l10n.t('Clear Selection')}
            </Button>
          )}
        </fieldset>
      )}
      {!draft.skip && (
        <TextArea
          label={
            options.length > 0 ? l10n.t('Your own words, or a note on your choice') : l10n.t('Your answer')
          }
          value={draft.text}
          rows={options.length > 0 ? 2 : 4}
          maxLength={20_000}
          disabled={disabled}
          onInput={(text) => onChange({ ...draft, text })}
        />
      )}
      <Checkbox
        label={l10n.t('Skip this question and let the models decide')}
        checked={draft.skip}
        disabled={disabled}
        onChange={(skip) => onChange({ ...draft, skip })}
      />
      {draft.skip && (
        <TextArea
          label={l10n.t('Reason, shown to the models (optional)')}
          value={draft.reason}
          rows={2}
          maxLength={20_000}
          disabled={disabled}
          onInput={(reason) => onChange({ ...draft, reason })}
        />
      )}
    </>
  );
}

/** The engine's own options are the only ones that can be translated. */
function labelOf(question: PageQuestion, id: string, label: string): string {
  if (question.answer_type !== 'yes_no') return label;
  return id === 'yes' ? l10n.t('Yes') : id === 'no' ? l10n.t('No') : label;
}
