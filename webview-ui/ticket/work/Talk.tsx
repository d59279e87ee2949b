import * as l10n from '@vscode/l10n';
import { joined } from '../../../src/base/joined.ts';
import type { LiveTalk } from '../../../src/protocol/pages/reviews.ts';
import { Icon } from '../../base/elements.tsx';
import { cost, count, duration, when } from '../../base/format.ts';
import { Heading } from '../../base/headings.tsx';
import type { Activity } from '../shared/lists.ts';

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
      <Heading id="talk">{l10n.t('{0}: {1}, iteration {2}', label, bead, iteration)}</Heading>
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
