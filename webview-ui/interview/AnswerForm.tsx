import * as l10n from '@vscode/l10n';
import type { PageQuestion } from '../../src/protocol/pages/interview.ts';
import { Button, Checkbox, Radio, TextArea } from '../base/elements.tsx';
import type { Draft } from './drafts.ts';

interface Props {
  readonly question: PageQuestion;
  readonly draft: Draft;
  readonly disabled: boolean;
  readonly onChange: (draft: Draft) => void;
}

/** The ways of answering one question: options, own words, or leaving it to the models. */
export function AnswerForm({ question, draft, disabled, onChange }: Props) {
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
              {l10n.t('Clear Choice')}
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
export function labelOf(question: PageQuestion, id: string, label: string): string {
  if (question.answer_type !== 'yes_no') return label;
  return id === 'yes' ? l10n.t('Yes') : id === 'no' ? l10n.t('No') : label;
}
