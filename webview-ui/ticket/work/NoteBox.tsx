import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import * as z from 'zod';
import type { ContextRow } from '../../../src/protocol/pages/reviews.ts';
import { longestNote, NoteTime } from '../../../src/protocol/pages/transcript.ts';
import { joined } from '../../../src/base/joined.ts';
import { Button, Icon, TextArea } from '../../base/elements.tsx';
import { useDraft } from '../../base/keptState.tsx';
import { Failure, useRequest } from '../../base/useRequest.tsx';
import type { Tools } from '../shared/parts.tsx';
import { placesOf, stateOf } from './Context.tsx';

const longestShown = 80;

function timeText(time: NoteTime): string {
  const texts: Readonly<Record<NoteTime, string>> = {
    next_iteration: l10n.t('With the next iteration'),
    every_call: l10n.t('With every call from now on'),
    now: l10n.t('Now: the coding session restarts with it'),
  };
  return texts[time];
}

interface NoteBoxProps {
  readonly last: ContextRow | undefined;
  /** There is a session that can start again. */
  readonly isCoding: boolean;
  readonly page: Tools;
}

/** A word to the agents, and how far the last one got. */
export function NoteBox({ last, isCoding, page }: NoteBoxProps) {
  const [text, setText] = useDraft(page.draftStore, 'note', z.string().max(longestNote), '');
  const [chosen, setTime] = useState<NoteTime>('next_iteration');
  const times = NoteTime.options.filter((one) => one !== 'now' || isCoding);
  const time = times.includes(chosen) ? chosen : 'next_iteration';
  const sending = useRequest(page, 'note');
  const isEmpty = text.trim() === '';
  const reset = (): void => {
    setText('');
    setTime('next_iteration');
  };
  const send = async (): Promise<void> => {
    if (await sending.tell({ text: text.trim(), time }, l10n.t('Sent. Its state is shown below the box.')))
      reset();
  };
  return (
    <div class="note-box">
      <TextArea
        label={l10n.t('Tell the agent')}
        placeholder={l10n.t('Tell the agent…')}
        value={text}
        rows={2}
        maxLength={longestNote}
        disabled={sending.isBusy}
        onInput={setText}
      />
      <div class="row">
        <select
          class="select grow"
          aria-label={l10n.t('When the agent gets it')}
          value={time}
          onChange={(event) => setTime(NoteTime.parse(event.currentTarget.value))}
        >
          {times.map((one) => (
            <option key={one} value={one}>
              {timeText(one)}
            </option>
          ))}
        </select>
        <Button
          secondary={isEmpty}
          icon="send"
          disabled={sending.isBusy || isEmpty}
          onClick={() => void send()}
        >
          {l10n.t('Send')}
        </Button>
      </div>
      <Failure of={sending} />
      {last && last.state !== 'withdrawn' && <LastNote last={last} />}
    </div>
  );
}

function LastNote({ last }: { readonly last: ContextRow }) {
  const { text, state } = last;
  const shown = text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
  return (
    <p class="quiet wrap">
      <Icon name={state === 'queued' ? 'inbox' : 'pass'} /> {l10n.t('Last note:')}{' '}
      <span class="plain">{shown}</span> ({joined([stateOf(last), placesOf(last)])})
    </p>
  );
}
