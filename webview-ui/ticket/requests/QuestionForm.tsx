import * as l10n from '@vscode/l10n';
import { visible } from '../../../src/base/visible.ts';
import { type AgentQuestion, takesWords } from '../../../src/domain/ticket/agentRequest.ts';
import { filed } from '../../../src/protocol/pages/frame.ts';
import { Button, Checkbox, Radio, TextArea } from '../../base/elements.tsx';
import { useDraft } from '../../base/keptState.tsx';
import { Failure, Filed, useRequest } from '../../base/useRequest.tsx';
import { type Acting, LongText } from '../shared/parts.tsx';
import {
  answersOf,
  emptyDraft,
  type RequestDraft,
  RequestDrafts,
  withOption,
  withText,
} from './requestDrafts.ts';

interface QuestionFormProps extends Acting {
  readonly request: string;
  readonly questions: readonly AgentQuestion[];
  /** The engine asks, so nothing is left to an agent. */
  readonly engine: boolean;
  readonly onAnswering: (isMine: boolean) => void;
}

/** An agent's questions with the ways to answer them. What was typed is a draft until it is sent. */
export function QuestionForm({ request, questions, engine, page, canAct, onAnswering }: QuestionFormProps) {
  const [drafts, setDrafts] = useDraft(page.draftStore, `request-${request}`, RequestDrafts, []);
  const sending = useRequest(page, 'act');
  const isOff = sending.isBusy || sending.isFiled;
  const answers = answersOf(questions, drafts);
  const change = (index: number, draft: RequestDraft): void =>
    setDrafts((now) => questions.map((_, at) => (at === index ? draft : (now[at] ?? emptyDraft))));
  const reply = async (body: string[][] | null): Promise<void> => {
    // The request may be gone before the answer comes that it was taken.
    onAnswering(true);
    if (await sending.tell(filed('question_reply', { request, answers: body }), l10n.t('Sent.')))
      setDrafts([]);
    else onAnswering(false);
  };
  return (
    <>
      {questions.map((question, index) => (
        <OneQuestion
          key={index}
          name={`${request}-${String(index)}`}
          question={question}
          draft={drafts[index] ?? emptyDraft}
          disabled={!canAct || isOff}
          onChange={(draft) => change(index, draft)}
        />
      ))}
      {canAct && (
        <div class="actions">
          <Button icon="send" disabled={isOff || !answers} onClick={() => answers && void reply(answers)}>
            {l10n.t('Send Answer')}
          </Button>
          {!engine && (
            <Button secondary icon="sparkle" disabled={isOff} onClick={() => void reply(null)}>
              {l10n.t('Let Agent Decide')}
            </Button>
          )}
        </div>
      )}
      <Filed isShown={sending.isFiled} />
      <Failure of={sending} />
    </>
  );
}

/** Characters. */
const longestLegend = 600;

interface OneQuestionProps {
  readonly name: string;
  readonly question: AgentQuestion;
  readonly draft: RequestDraft;
  readonly disabled: boolean;
  readonly onChange: (draft: RequestDraft) => void;
}

function OneQuestion({ name, question, draft, disabled, onChange }: OneQuestionProps) {
  const { header, text, options, multiple } = question;
  const { asked, more } = inTwo(text);
  return (
    <fieldset class="question">
      <legend>
        {header !== '' && <span class="quiet">{visible(header)} </span>}
        <span class="plain">{visible(asked)}</span>
      </legend>
      {more !== '' && <LongText label={l10n.t('More of the question')} text={more} />}
      {options.map(({ label, description }, index) => {
        const props = {
          label: visible(description === '' ? label : `${label} – ${description}`),
          checked: draft.chosen.includes(index),
          disabled,
          onChange: (isChosen: boolean) => onChange(withOption(question, draft, index, isChosen)),
        };
        return multiple ? <Checkbox key={index} {...props} /> : <Radio key={index} {...props} name={name} />;
      })}
      {takesWords(question) && (
        <TextArea
          label={options.length > 0 ? l10n.t('Other answer') : l10n.t('Your answer')}
          value={draft.text}
          rows={2}
          maxLength={20_000}
          disabled={disabled}
          onInput={(own) => onChange(withText(question, draft, own))}
        />
      )}
    </fieldset>
  );
}

/** The first paragraph of a long text is the question; what follows scrolls by itself. */
function inTwo(text: string): { readonly asked: string; readonly more: string } {
  const end = text.length > longestLegend ? text.indexOf('\n\n') : -1;
  return end === -1 ? { asked: text, more: '' } : { asked: text.slice(0, end), more: text.slice(end).trim() };
}
