import * as l10n from '@vscode/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import { countHidden, hiddenSentence, visible } from '../../../src/base/visible.ts';
import {
  type AgentQuestion,
  isOfEngine,
  type RequestContent,
  takesWords,
} from '../../../src/domain/ticket/agentRequest.ts';
import { filed } from '../../../src/protocol/pages/frame.ts';
import type { TicketState } from '../../../src/protocol/pages/ticket.ts';
import { Button, Checkbox, Icon, IconButton, Radio, TextArea } from '../../base/elements.tsx';
import { duration } from '../../base/format.ts';
import { Heading } from '../../base/headings.tsx';
import { Failure, Filed, useRequest } from '../../base/useRequest.tsx';
import { useDraft } from '../../base/keptState.tsx';
import { type Acting, LongText, type Tools } from '../shared/parts.tsx';
import { keyOf, useSettled } from './useSettled.ts';
import {
  answersOf,
  emptyDraft,
  type RequestDraft,
  RequestDrafts,
  withOption,
  withText,
} from './requestDrafts.ts';

interface RequestsProps extends Acting {
  readonly requests: TicketState['requests'];
}

export function Requests({ requests, page, canAct }: RequestsProps) {
  const { notes, dismiss, setMine } = useSettled(requests, page);
  const box = useRef<HTMLDivElement>(null);
  const hadFocus = box.current?.contains(document.activeElement) ?? false;
  useEffect(() => {
    // A person who was about to answer stays where they were, although their form is gone.
    if (hadFocus && !box.current?.contains(document.activeElement)) box.current?.focus();
  });
  return (
    <div class="requests" ref={box} tabIndex={-1}>
      {requests.map((request) => (
        <Request
          key={keyOf(request)}
          request={request}
          page={page}
          canAct={canAct}
          onAnswering={(isMine) => setMine(request, isMine)}
        />
      ))}
      {notes.map(({ key, text }) => (
        <div key={key} class="refusal">
          <Icon name="info" />
          <span class="grow plain">{text}</span>
          <IconButton icon="close" label={l10n.t('Dismiss')} onClick={() => dismiss(key)} />
        </div>
      ))}
    </div>
  );
}

interface RequestProps extends Acting {
  readonly request: TicketState['requests'][number];
  readonly onAnswering: (isMine: boolean) => void;
}

function Request(props: RequestProps) {
  const { request, page, canAct, onAnswering } = props;
  const { id, source, content, may } = request;
  const isQuestion = content.kind === 'question';
  return (
    <section class="request" aria-labelledby={`request-${id}`}>
      <Heading id={`request-${id}`}>
        <Icon name={isQuestion ? 'comment-unresolved' : 'shield'} />{' '}
        {isQuestion
          ? l10n.t('{0} has a question', source)
          : l10n.t('{0} requests permission to {1}', source, may)}
      </Heading>
      {content.kind === 'question' ? (
        <QuestionForm
          request={id}
          questions={content.questions}
          engine={isOfEngine(request)}
          page={page}
          canAct={canAct}
          onAnswering={onAnswering}
        />
      ) : (
        <PermissionForm {...props} content={content} />
      )}
      <Countdown until={request.until} isQuestion={isQuestion} page={page} />
    </section>
  );
}

/** Seconds are never read out by themselves, but the last minute is. */
function Countdown({
  until,
  isQuestion,
  page,
}: {
  readonly until: number;
  readonly isQuestion: boolean;
  readonly page: Tools;
}) {
  const left = Math.max(0, Math.ceil((until - useSeconds()) / 1_000));
  const before = useRef(left);
  useEffect(() => {
    if (before.current > 60 && left <= 60 && left > 0) page.announce(l10n.t('One minute left to answer.'));
    before.current = left;
  }, [left]);
  return (
    <p class="quiet" role="timer" aria-live="off">
      <Icon name="watch" />{' '}
      {isQuestion
        ? l10n.t('Continues without an answer in {0}.', duration(left * 1_000))
        : l10n.t('Denied in {0} if you don’t answer.', duration(left * 1_000))}
    </p>
  );
}

function useSeconds(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

interface PermissionFormProps extends RequestProps {
  readonly content: Extract<RequestContent, { kind: 'permission' }>;
}

/** The permission is shown exactly as it is: that is what is being allowed. */
function PermissionForm({ request, content, page, canAct, onAnswering }: PermissionFormProps) {
  const { id, refusal } = request;
  const sending = useRequest(page, 'act');
  const isOff = sending.isBusy || sending.isFiled;
  const decide = async (allow: boolean): Promise<void> => {
    // The request may be gone before the answer comes that it was taken.
    onAnswering(true);
    if (!(await sending.tell(filed('permission_reply', { request: id, allow }), l10n.t('Sent.'))))
      onAnswering(false);
  };
  const hidden = countHidden([content.command, ...content.patterns].join('\n'));
  return (
    <>
      {refusal !== '' && <p class="warning">{refusal}</p>}
      {hidden > 0 && <p class="warning">{l10n.t(hiddenSentence, hidden)}</p>}
      {content.command !== '' && <LongText label={l10n.t('Command')} text={content.command} />}
      {content.patterns.length > 0 && (
        <p>
          <span class="quiet">{l10n.t('Applies to')}</span>{' '}
          <span class="code plain">{visible(content.patterns.join('\n'))}</span>
        </p>
      )}
      {canAct && (
        <div class="actions">
          {refusal === '' && (
            <Button icon="check" disabled={isOff} onClick={() => void decide(true)}>
              {l10n.t('Allow Once')}
            </Button>
          )}
          <Button secondary icon="circle-slash" disabled={isOff} onClick={() => void decide(false)}>
            {l10n.t('Deny')}
          </Button>
        </div>
      )}
      <Filed isShown={sending.isFiled} />
      <Failure of={sending} />
    </>
  );
}

interface QuestionFormProps extends Acting {
  readonly request: string;
  readonly questions: readonly AgentQuestion[];
  /** The engine asks, so nothing is left to an agent. */
  readonly engine: boolean;
  readonly onAnswering: (isMine: boolean) => void;
}

/** Typed text is a draft until it is sent. */
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
    <fieldset class="request-question">
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
