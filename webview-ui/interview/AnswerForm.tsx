import type { InterviewTexts, PageQuestion } from '../../src/protocol/pages/interview.ts';
import { Button, Checkbox, Radio, TextArea } from '../base/elements.tsx';
import type { Draft } from './drafts.ts';

interface Props {
  readonly question: PageQuestion;
  readonly draft: Draft;
  readonly texts: InterviewTexts;
  readonly disabled: boolean;
  readonly onChange: (draft: Draft) => void;
}

/** The ways of answering one question: options, own words, or leaving it to the models. */
export function AnswerForm({ question, draft, texts, disabled, onChange }: Props) {
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
          <legend class="quiet">{many ? texts.chooseMany : texts.chooseOne}</legend>
          {options.map(({ id, label }) => {
            const props = { label: labelOf(question, id, label, texts), checked: draft.selected.includes(id), disabled };
            return many ? (
              <Checkbox key={id} {...props} onChange={(chosen) => choose(id, chosen)} />
            ) : (
              <Radio key={id} {...props} name={`answer-${question.id}`} onChange={() => choose(id, true)} />
            );
          })}
          {!many && draft.selected.length > 0 && (
            <Button secondary disabled={disabled} onClick={() => onChange({ ...draft, selected: [] })}>
              {texts.clear}
            </Button>
          )}
        </fieldset>
      )}
      {!draft.skip && (
        <TextArea
          label={options.length > 0 ? texts.other : texts.yourAnswer}
          value={draft.text}
          rows={options.length > 0 ? 2 : 4}
          maxLength={20_000}
          disabled={disabled}
          onInput={(text) => onChange({ ...draft, text })}
        />
      )}
      <Checkbox label={texts.skip} checked={draft.skip} disabled={disabled} onChange={(skip) => onChange({ ...draft, skip })} />
      {draft.skip && (
        <TextArea
          label={texts.skipReason}
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
export function labelOf(question: PageQuestion, id: string, label: string, texts: InterviewTexts): string {
  if (question.answer_type !== 'yes_no') return label;
  return id === 'yes' ? texts.yes : id === 'no' ? texts.no : label;
}
