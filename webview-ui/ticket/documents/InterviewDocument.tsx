import * as l10n from '@vscode/l10n';
import { useId } from 'preact/hooks';
import { Interview } from '../../../src/domain/requirements/interview.ts';
import { Checkbox, Icon, PlainItems, Radio, TextArea } from '../../base/elements.tsx';
import { Heading } from '../../base/headings.tsx';
import { NotAsked } from '../../base/planning.tsx';
import { type ChangedAnswers, inputOf, type Question, withAnswer, withOption, withSkip } from './drafts.ts';

interface Props {
  readonly value: unknown;
  /** With this, answers can be changed; the present changes are in it. */
  readonly edit?: {
    readonly changed: ChangedAnswers;
    readonly disabled: boolean;
    readonly onChange: (changed: ChangedAnswers) => void;
  };
}

/** An interview, or the Full Answers made of one, by phase. */
export function InterviewDocument({ value, edit }: Props) {
  const interview = Interview.safeParse(value).data;
  if (!interview) return null;
  const { questions, summary } = interview;
  const skipped = questions.filter(({ answer }) => answer.skipped).length;
  const lists = [
    [l10n.t('Goals'), summary.goals],
    [l10n.t('Constraints'), summary.constraints],
    [l10n.t('Non-goals'), summary.non_goals],
  ] as const;
  return (
    <div>
      <p class="quiet">{l10n.t('Answered: {0}, skipped: {1}', questions.length - skipped, skipped)}</p>
      {(['foundation', 'structure', 'assembly'] as const).map((phase) => {
        const asked = questions.filter((question) => question.phase === phase);
        if (asked.length === 0) return null;
        return (
          <section key={phase}>
            <Heading>{phaseName(phase)}</Heading>
            {asked.map((question) =>
              edit ? (
                <EditedQuestion key={question.id} question={question} edit={edit} />
              ) : (
                <ReadQuestion key={question.id} question={question} />
              ),
            )}
          </section>
        );
      })}
      <NotAsked {...interview} />
      {lists.map(([title, items]) =>
        items.length === 0 ? null : (
          <section key={title}>
            <Heading>{title}</Heading>
            <ul>
              <PlainItems of={items} />
            </ul>
          </section>
        ),
      )}
    </div>
  );
}

function ReadQuestion({ question }: { readonly question: Question }) {
  const { answer, options } = question;
  const chosen = options
    .filter(({ id }) => answer.selected_option_ids.includes(id))
    .map(({ label }) => label);
  const said = [...chosen, ...(answer.free_text.trim() === '' ? [] : [answer.free_text])];
  return (
    <section class="card">
      <Heading below={1} class="plain">
        <span class="quiet">{question.id}</span> {question.prompt}
      </Heading>
      {answer.skipped ? (
        <p class="skipped">
          <Icon name="debug-step-over" /> {l10n.t('skipped; the models decide')}
          {answer.skip_reason ? (
            <span class="plain quiet"> · {l10n.t('reason: {0}', answer.skip_reason)}</span>
          ) : null}
        </p>
      ) : (
        <>
          {said.map((text, place) => (
            <p class="plain" key={place}>
              {text}
            </p>
          ))}
          {said.length === 0 && <p class="quiet">{l10n.t('no answer')}</p>}
          {answer.answered_by === 'ai_skip' && (
            <p class="skipped">
              <Icon name="sparkle" /> {l10n.t('filled in by the model')}
            </p>
          )}
        </>
      )}
    </section>
  );
}

function EditedQuestion({
  question,
  edit,
}: {
  readonly question: Question;
  readonly edit: NonNullable<Props['edit']>;
}) {
  const name = useId();
  const { changed, disabled } = edit;
  const input = changed[question.id] ?? inputOf(question);
  const set = (next: typeof input): void => edit.onChange(withAnswer(changed, question, next));
  const single = question.answer_type !== 'multiple_choice';
  return (
    <fieldset class="card" data-path={question.id} tabIndex={-1}>
      <legend class="unseen">{question.prompt}</legend>
      <Heading below={1} class="plain" aria-hidden="true">
        <span class="quiet">{question.id}</span> {question.prompt}
        {changed[question.id] && <span class="mark"> {l10n.t('changed')}</span>}
      </Heading>
      {!input.skipped && (
        <>
          {question.options.map(({ id, label }) => {
            const props = { label, disabled, checked: input.selected_option_ids.includes(id) };
            const onChange = (checked: boolean): void => set(withOption(input, question, id, checked));
            return single ? (
              <Radio key={id} name={name} {...props} onChange={onChange} />
            ) : (
              <Checkbox key={id} {...props} onChange={onChange} />
            );
          })}
          <TextArea
            label={l10n.t('Your answer')}
            value={input.free_text}
            disabled={disabled}
            maxLength={20_000}
            onInput={(free_text) => set({ ...input, free_text })}
          />
        </>
      )}
      <Checkbox
        label={l10n.t('Skip this question and let the models decide')}
        checked={input.skipped}
        disabled={disabled}
        onChange={(skip) => set(withSkip(input, skip))}
      />
      {input.skipped && (
        <TextArea
          label={l10n.t('Reason (optional)')}
          value={input.skip_reason ?? ''}
          disabled={disabled}
          rows={2}
          maxLength={20_000}
          onInput={(skip_reason) => set({ ...input, skip_reason })}
        />
      )}
    </fieldset>
  );
}

function phaseName(phase: Question['phase']): string {
  const texts: Readonly<Record<Question['phase'], string>> = {
    foundation: l10n.t('Foundation'),
    structure: l10n.t('Structure'),
    assembly: l10n.t('Assembly'),
  };
  return texts[phase];
}
