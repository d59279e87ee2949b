import './work.css';
import * as l10n from '@vscode/l10n';
import { Component } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Todo } from '../../../src/domain/core/toolCall.ts';
import { visible } from '../../../src/base/visible.ts';
import type { TicketHint } from '../../../src/protocol/pages/transcript.ts';
import { Button, Icon } from '../../base/elements.tsx';
import { when } from '../../base/format.ts';
import { Heading } from '../../base/headings.tsx';
import { useHints } from '../../base/page.tsx';
import { type Contract, Empty, Loading, type TicketProps, type Tools } from '../shared/parts.tsx';
import { passagesOf } from './answers.ts';
import { Changed } from './Changed.tsx';
import { type Chapter, chapters, endedCalls, type Entry, type Scope, todosOf } from './entries.ts';
import { NoteBox } from './NoteBox.tsx';
import { ToolCard } from './ToolCard.tsx';
import { useTranscript } from './useTranscript.ts';

/** Shows the work of models and engine, the same to people who open it late. */
export function Transcript({ state, page, canAct }: TicketProps) {
  const iterations = iterationsOf(state);
  const [chosen, choose] = useState('');
  const scope = iterations.find((one) => scopeKey(one) === chosen);
  useSpoken(page);
  const { bands, head } = state;
  if (head.mood === 'draft' || bands.length === 0) return null;
  return (
    <section aria-labelledby="transcript" class="transcript">
      <div class="row">
        <Heading id="transcript" class="grow">
          {l10n.t('Transcript')}
        </Heading>
        {iterations.length > 1 && (
          <select
            class="select"
            aria-label={l10n.t('Part of the transcript')}
            value={scopeKey(scope)}
            onChange={(event) => choose(event.currentTarget.value)}
          >
            <option value="">{l10n.t('Everything')}</option>
            {iterations.map((one) => (
              <option key={scopeKey(one)} value={scopeKey(one)}>
                {l10n.t('{0}, iteration {1}', one.bead, one.iteration)}
              </option>
            ))}
          </select>
        )}
      </div>
      <Entries
        key={scopeKey(scope)}
        scope={scope}
        atWork={scope ?? workOf(state)}
        stamp={state.stamp}
        page={page}
      />
      {canAct && state.canSteer && (
        <NoteBox last={state.context[0]} isCoding={workOf(state) !== undefined} page={page} />
      )}
    </section>
  );
}

/** Newest first; a retry counts iterations again, and its own are shown. */
function iterationsOf({ bands }: TicketProps['state']) {
  const all = bands.flatMap(({ runs }) => runs.flatMap(({ iterations }) => iterations));
  const known = new Map<string, Scope>();
  for (const { bead, iteration } of all) known.set(scopeKey({ bead, iteration }), { bead, iteration });
  return [...known.values()].toReversed();
}

/** The iteration at work, if any. */
function workOf({ beads }: TicketProps['state']): Scope | undefined {
  const bead = beads.find(({ status }) => status === 'in_progress');
  return bead && { bead: bead.id, iteration: bead.iteration };
}

function scopeKey(scope: Scope | undefined): string {
  return scope ? `${scope.bead} ${String(scope.iteration)}` : '';
}

interface EntriesProps {
  readonly scope: Scope | undefined;
  /** The iteration of which the changes are shown. */
  readonly atWork: Scope | undefined;
  readonly stamp: string;
  readonly page: Tools;
}

function Entries({ scope, atWork, stamp, page }: EntriesProps) {
  const isAtEnd = useRef(true);
  const fromEnd = useRef(0);
  const shown = useTranscript({ page, scope, stamp, isAtEnd });
  const { entries, earlier, failure, isBusy, loadEarlier } = shown;
  const box = useRef<HTMLDivElement>(null);
  // Who reads at the end stays there; who reads further up stays where they are.
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    if (isAtEnd.current) current.scrollTop = current.scrollHeight;
  }, [entries]);
  useLayoutEffect(() => {
    const { current } = box;
    if (current && !isAtEnd.current) current.scrollTop = current.scrollHeight - fromEnd.current;
  }, [entries?.[0]?.key]);
  if (!entries) return <Loading failure={failure} />;
  const todos = todosOf(entries);
  return (
    <>
      {todos && <Todos todos={todos} />}
      <div
        class="activity transcript-box"
        role="log"
        aria-live="off"
        aria-labelledby="transcript"
        tabIndex={0}
        ref={box}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          fromEnd.current = scrollHeight - scrollTop;
          isAtEnd.current = fromEnd.current - clientHeight < 24;
        }}
      >
        {earlier !== null && (
          <Button secondary disabled={isBusy} onClick={loadEarlier}>
            {l10n.t('Show Earlier')}
          </Button>
        )}
        {entries.length === 0 && (
          <Empty text={l10n.t('Nothing yet. What the models write and do appears here.')} />
        )}
        {chapters(entries).map((chapter) => (
          <ChapterView key={chapter.key} chapter={chapter} page={page} />
        ))}
      </div>
      {failure && <Loading failure={failure} />}
      {atWork && (
        <Changed
          key={scopeKey(atWork)}
          scope={atWork}
          news={`${stamp} ${String(endedCalls(entries))}`}
          page={page}
        />
      )}
    </>
  );
}

function ChapterView({
  chapter: { scope, why, entries },
  page,
}: {
  readonly chapter: Chapter;
  readonly page: Tools;
}) {
  const begins = scope && l10n.t('{0}: iteration {1} begins', scope.bead, scope.iteration);
  return (
    <>
      {begins !== undefined && (
        <Heading below={1} class="separator">
          {why === '' ? begins : l10n.t('{0}: {1}', begins, why)}
        </Heading>
      )}
      {entries.map((entry, index) => (
        <Row
          key={entry.key}
          entry={entry}
          isOther={entry.source !== 'engine' && entry.source !== entries[index - 1]?.source}
          page={page}
        />
      ))}
    </>
  );
}

interface RowProps {
  readonly entry: Entry;
  /** Another model than in the row before. */
  readonly isOther: boolean;
  readonly page: Tools;
}

/** Drawn again only when its own entry differs: there are hundreds, and pieces come ten times a second. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate({ entry, isOther }: RowProps): boolean {
    return entry !== this.props.entry || isOther !== this.props.isOther;
  }

  override render() {
    const { entry, isOther, page } = this.props;
    return (
      <div class={`turn turn-${entry.kind}`}>
        {isOther && (
          <div class="quiet">
            <span class="code">{visible(entry.source)}</span> {when(entry.at)}
          </div>
        )}
        {contentOf(entry, page)}
      </div>
    );
  }
}

function contentOf({ kind, text, call, tone }: Entry, page: Tools) {
  const words = visible(text).trim();
  if (call) return <ToolCard call={call} page={page} />;
  if (kind === 'text')
    return passagesOf(words).map((passage, index) =>
      passage.kind === 'words' ? (
        <div key={index} class="plain">
          {passage.text}
        </div>
      ) : (
        <details key={index}>
          <summary class="quiet">
            <Icon name="json" /> {l10n.t('Structured answer')}
          </summary>
          <div class="plain code">{passage.text}</div>
        </details>
      ),
    );
  if (kind === 'reasoning')
    return (
      <details>
        <summary class="quiet">
          <Icon name="lightbulb" /> {l10n.t('Reasoning')}
        </summary>
        <div class="plain quiet">{words}</div>
      </details>
    );
  return (
    <div class={`note-line${tone === undefined ? '' : ` note-${tone}`}`}>
      <Icon name={iconOf(kind, tone)} /> <span class="plain">{words}</span>
    </div>
  );
}

function iconOf(kind: Entry['kind'], tone: Entry['tone']): string {
  if (tone !== undefined) return { begins: 'debug-step-over', good: 'pass', bad: 'warning' }[tone];
  const icons: Partial<Readonly<Record<Entry['kind'], string>>> = {
    tool: 'tools',
    command: 'terminal',
    retry: 'warning',
    status: 'arrow-right',
  };
  return icons[kind] ?? 'info';
}

const todoIcons: Readonly<Record<Todo['state'], string>> = {
  open: 'circle-large-outline',
  active: 'circle-large-filled',
  done: 'pass',
  dropped: 'circle-slash',
};

function todoText(state: Todo['state']): string {
  const texts: Readonly<Record<Todo['state'], string>> = {
    open: l10n.t('open'),
    active: l10n.t('in progress'),
    done: l10n.t('done'),
    dropped: l10n.t('dropped'),
  };
  return texts[state];
}

function Todos({ todos }: { readonly todos: readonly Todo[] }) {
  const done = todos.filter(({ state }) => state === 'done').length;
  return (
    <details class="todos">
      <summary>{l10n.t('Tasks of the agent: {0} of {1} done', done, todos.length)}</summary>
      <ul class="rows">
        {todos.map(({ text, state }, index) => (
          <li key={index}>
            <Icon name={todoIcons[state]} />
            <span class="grow">
              {visible(text)} <span class="quiet">{todoText(state)}</span>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** So often at most, the newest: a screen reader has to finish. */
const spokenMs = 3_000;

/** Announces how stages end; texts and tool calls would never let a screen reader finish. */
function useSpoken(page: Tools): void {
  const next = useRef<{ text: string; timer: ReturnType<typeof setTimeout> | undefined }>({
    text: '',
    timer: undefined,
  });
  useEffect(() => () => clearTimeout(next.current.timer), []);
  useHints<Contract>(page, ({ tone, text }: TicketHint) => {
    if (tone === undefined || tone === 'begins') return;
    const { current } = next;
    current.text = text;
    current.timer ??= setTimeout(() => {
      current.timer = undefined;
      page.announce(current.text);
    }, spokenMs);
  });
}
