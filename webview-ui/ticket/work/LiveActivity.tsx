import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { joined } from '../../../src/base/joined.ts';
import type { LiveTalk } from '../../../src/protocol/pages/reviews.ts';
import type { TicketHint } from '../../../src/protocol/pages/ticket.ts';
import { Icon } from '../../base/elements.tsx';
import { cost, count, duration, when } from '../../base/format.ts';
import type { Activity } from '../shared/lists.ts';

const icons: Readonly<Record<TicketHint['kind'], string>> = {
  text: 'comment',
  reasoning: 'lightbulb',
  tool: 'tools',
  retry: 'warning',
  command: 'terminal',
  info: 'info',
  step: 'debug-step-over',
  bead: 'circle-large-filled',
  status: 'arrow-right',
};

/** Mute for screen readers: the page announces what counts. */
export function LiveActivity({ activity }: { readonly activity: readonly Activity[] }) {
  const box = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  useLayoutEffect(() => {
    if (isFollowing.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [activity]);
  return (
    <section aria-labelledby="activity">
      <h2 id="activity">{l10n.t('Live activity')}</h2>
      <div
        class="activity"
        role="log"
        aria-live="off"
        aria-labelledby="activity"
        tabIndex={0}
        ref={box}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          isFollowing.current = scrollHeight - scrollTop - clientHeight < 24;
        }}
      >
        {activity.length === 0 && (
          <p class="quiet">
            {l10n.t('No activity yet. Live activity of the models appears here while this page is open.')}
          </p>
        )}
        {activity.map(({ key, hint }) => (
          <div key={key} class={`entry entry-${hint.kind}`}>
            <Icon name={icons[hint.kind]} />
            <span class="grow">
              <span class="quiet">
                {when(hint.at)} {hint.source}
              </span>{' '}
              <span class="plain">{hint.text}</span>
            </span>
          </div>
        ))}
      </div>
    </section>
  );
}

interface TalkProps {
  readonly talk: LiveTalk;
  readonly activity: readonly Activity[];
  /** Findings that the bead has so far. */
  readonly found: number;
}

export function Talk({ talk, activity, found }: TalkProps) {
  const { bead, iteration, label, since, answeredAt, answers } = talk;
  const waiting =
    talk.speaking.length === 0
      ? l10n.t('Waiting for an answer…')
      : l10n.t('Waiting for {0}…', talk.speaking.join(', '));
  // A price that isn't known is never shown as 0.
  const price = (dollars: number): string => (dollars === 0 ? '' : cost(dollars));
  const speaking = activity.findLast(
    ({ hint }) => hint.at > answeredAt && ['text', 'reasoning', 'tool'].includes(hint.kind),
  )?.hint;
  return (
    <section aria-labelledby="talk" class="talk">
      <h2 id="talk">{l10n.t('{0}: {1}, iteration {2}', label, bead, iteration)}</h2>
      <p class="quiet">
        {joined([
          l10n.t('since {0}', when(since)),
          found === 0
            ? ''
            : found === 1
              ? l10n.t('1 finding so far')
              : l10n.t('{0} findings so far', count(found)),
          l10n.t('{0} tokens', count(talk.tokens)),
          price(talk.cost),
        ])}
      </p>
      <ul class="rows">
        {answers.map(({ id, speaker, member, outcome, gist, ms, tokens, cost: dollars }) => (
          <li key={id}>
            <Icon name={outcome === 'accepted' ? 'pass' : 'warning'} />
            <span class="grow">
              {speaker !== '' && <strong>{speaker} </strong>}
              <span class="code">{member}</span>{' '}
              <span class="quiet">
                {joined([
                  outcome !== 'accepted'
                    ? l10n.t('no usable answer')
                    : gist === ''
                      ? l10n.t('answered')
                      : gist,
                  duration(ms),
                  l10n.t('{0} tokens', count(tokens)),
                  price(dollars),
                ])}
              </span>
            </span>
          </li>
        ))}
        <li>
          <Icon name="sync" />
          <span class="grow">
            <span class="quiet">{waiting}</span>
            {speaking && (
              <div>
                <span class="code">{speaking.source}</span>{' '}
                <span class="plain">{speaking.text.slice(-300)}</span>
              </div>
            )}
          </span>
        </li>
      </ul>
    </section>
  );
}
