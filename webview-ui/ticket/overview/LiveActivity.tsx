import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TicketHint } from '../../../src/protocol/pages/ticket.ts';
import { Icon } from '../../base/elements.tsx';
import type { Activity } from './activity.ts';
import { when } from '../../base/format.ts';

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

/**
 * Shows what happens now, the newest below. Kept quiet for screen readers: the page announces what counts by
 * itself.
 */
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
