import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import { isOfEngine } from '../../../src/domain/ticket/agentRequest.ts';
import type { TicketState } from '../../../src/protocol/pages/ticket.ts';
import { Icon, IconButton } from '../../base/elements.tsx';
import { duration } from '../../base/format.ts';
import { PermissionForm } from './PermissionForm.tsx';
import { QuestionForm } from './QuestionForm.tsx';
import type { Tools } from '../shared/tools.ts';
import { useSeconds } from './useSeconds.ts';
import { keyOf, useSettled } from './useSettled.ts';

interface RequestsProps {
  readonly requests: TicketState['requests'];
  readonly page: Tools;
  readonly canAct: boolean;
}

/**
 * Shows what agents wait for, each with the time that is left and its own form; and the outcome of requests
 * that are gone.
 */
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

interface RequestProps {
  readonly request: TicketState['requests'][number];
  readonly page: Tools;
  readonly canAct: boolean;
  readonly onAnswering: (isMine: boolean) => void;
}

function Request({ request, page, canAct, onAnswering }: RequestProps) {
  const { id, source, content, may, refusal } = request;
  const isQuestion = content.kind === 'question';
  return (
    <section class="card request" aria-labelledby={`request-${id}`}>
      <h2 id={`request-${id}`}>
        <Icon name={isQuestion ? 'comment-unresolved' : 'shield'} />{' '}
        {isQuestion
          ? l10n.t('{0} has a question', source)
          : l10n.t('{0} requests permission to {1}', source, may)}
      </h2>
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
        <PermissionForm
          request={id}
          content={content}
          refusal={refusal}
          page={page}
          canAct={canAct}
          onAnswering={onAnswering}
        />
      )}
      <Countdown until={request.until} isQuestion={isQuestion} page={page} />
    </section>
  );
}

/** Shows the time that is left. Seconds are never read out by themselves, but the last minute is. */
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
