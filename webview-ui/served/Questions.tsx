import { useState } from 'preact/hooks';
import { visible } from '../../src/base/visible.ts';
import { permissionText } from '../../src/domain/ticket/agentRequest.ts';
import type { ServedDetail } from '../../src/protocol/team/served.ts';
import { Button, Checkbox, Radio } from '../base/elements.tsx';
import { Heading } from '../base/headings.tsx';
import type { Decide } from './Decisions.tsx';
import { ShownText } from './shownText.tsx';
import { TextArea } from './work.tsx';

interface Given {
  readonly ids: readonly string[];
  readonly text: string;
}
const nothing: Given = { ids: [], text: '' };

interface Question {
  readonly key: string;
  readonly title: string;
  readonly about: string;
  readonly options: readonly { readonly id: string; readonly label: string }[];
  readonly isMany: boolean;
  readonly takesText: boolean;
}

/** The interview's open questions. An empty answer skips its question. */
export function Interview({
  batch,
  disabled,
  decide,
}: {
  readonly batch: NonNullable<ServedDetail['batch']>;
  readonly disabled: boolean;
  readonly decide: Decide;
}) {
  const [given, setGiven] = useState<Readonly<Record<string, Given>>>({});
  const send = (): void => {
    const answers = Object.fromEntries(
      batch.questions.map(({ id }) => {
        const { ids, text } = given[id] ?? nothing;
        const isSkip = ids.length === 0 && text.trim() === '';
        return [id, { selected_option_ids: ids, free_text: text, skipped: isSkip }];
      }),
    );
    void decide('answer', { batch: batch.number, answers }, 'Answers sent.');
  };
  return (
    <section aria-labelledby="questions">
      <Heading id="questions">Questions</Heading>
      {batch.commentary !== '' && <p class="plain">{visible(batch.commentary)}</p>}
      {batch.questions.map(({ id, question, rationale, answer_type: type, options }) => (
        <OneQuestion
          key={id}
          question={{
            key: id,
            title: question,
            about: rationale,
            options,
            isMany: type === 'multiple_choice',
            takesText: true,
          }}
          given={given[id] ?? nothing}
          onGive={(one) => setGiven({ ...given, [id]: one })}
        />
      ))}
      <p class="quiet">Questions without an answer are skipped.</p>
      <div class="actions">
        <Button disabled={disabled} onClick={send}>
          Answer
        </Button>
      </div>
    </section>
  );
}

type Request = ServedDetail['requests'][number];

/** A question of an agent or of the engine, or a request to allow something. */
export function AgentRequest({
  request,
  disabled,
  decide,
}: {
  readonly request: Request;
  readonly disabled: boolean;
  readonly decide: Decide;
}) {
  const { id, source, content } = request;
  const [given, setGiven] = useState<Readonly<Record<string, Given>>>({});
  if (content.kind === 'permission') {
    const reply = (allow: boolean, done: string): void =>
      void decide('permission_reply', { request: id, allow }, done);
    return (
      <section class="card" aria-label={`Request of ${source}`}>
        <Heading>
          {visible(source)} requests permission to {visible(permissionText(content))}
        </Heading>
        <ShownText text={content.command === '' ? content.patterns.join('\n') : content.command} />
        {content.cut && <p class="problem">It is too long to be shown whole, so it can’t be allowed.</p>}
        <div class="actions">
          {!content.cut && (
            <Button secondary disabled={disabled} onClick={() => reply(true, 'Allowed.')}>
              Allow
            </Button>
          )}
          <Button secondary disabled={disabled} onClick={() => reply(false, 'Denied.')}>
            Deny
          </Button>
        </div>
      </section>
    );
  }
  const questions = content.questions.map(({ header, text, options, multiple, custom }, at): Question => ({
    key: String(at),
    title: header,
    about: text,
    options: options.map((option) => ({
      id: option.id ?? option.label,
      label: option.description === '' ? option.label : `${option.label}: ${option.description}`,
    })),
    isMany: multiple,
    takesText: custom || options.length === 0,
  }));
  const answers = questions.map(({ key }) => {
    const { ids, text } = given[key] ?? nothing;
    return text.trim() === '' ? ids : [...ids, text.trim()];
  });
  return (
    <section aria-label={`Question of ${source}`}>
      <Heading>{visible(source)} asks</Heading>
      {questions.map((question) => (
        <OneQuestion
          key={question.key}
          question={question}
          given={given[question.key] ?? nothing}
          onGive={(one) => setGiven({ ...given, [question.key]: one })}
        />
      ))}
      <div class="actions">
        <Button
          disabled={disabled || answers.some((one) => one.length === 0)}
          onClick={() => void decide('question_reply', { request: id, answers }, 'Answer sent.')}
        >
          Answer
        </Button>
      </div>
    </section>
  );
}

function OneQuestion({
  question: { key, title, about, options, isMany, takesText },
  given,
  onGive,
}: {
  readonly question: Question;
  readonly given: Given;
  readonly onGive: (given: Given) => void;
}) {
  const choose = (id: string, isOn: boolean): void => {
    const others = isMany ? given.ids.filter((one) => one !== id) : [];
    onGive({ ...given, ids: isOn ? [...others, id] : others });
  };
  return (
    <fieldset class="card">
      <legend class="plain">{visible(title)}</legend>
      {about !== '' && <p class="quiet plain">{visible(about)}</p>}
      {options.map(({ id, label }) =>
        isMany ? (
          <Checkbox
            key={id}
            label={visible(label)}
            checked={given.ids.includes(id)}
            onChange={(isOn) => choose(id, isOn)}
          />
        ) : (
          <Radio
            key={id}
            name={`question-${key}`}
            label={visible(label)}
            checked={given.ids.includes(id)}
            onChange={(isOn) => choose(id, isOn)}
          />
        ),
      )}
      {takesText && (
        <TextArea
          label={options.length === 0 ? 'Answer' : 'Other, or a note'}
          value={given.text}
          onInput={(text) => onGive({ ...given, text })}
          rows={2}
        />
      )}
    </fieldset>
  );
}
