import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import { forgeTexts } from '../../../src/domain/forge/forgeTexts.ts';
import type { ThreadRow } from '../../../src/domain/forge/threadRows.ts';
import { joined } from '../../../src/base/joined.ts';
import { filed } from '../../../src/protocol/pages/frame.ts';
import { Button, Icon } from '../../base/elements.tsx';
import { whenWritten } from '../../base/format.ts';
import { Heading } from '../../base/headings.tsx';
import { Failure, Filed, useRequest } from '../../base/useRequest.tsx';
import { type Acting, ReasonForm } from '../shared/parts.tsx';

interface ThreadsProps extends Acting {
  readonly rows: readonly ThreadRow[];
  readonly left: number;
}

/** Comments of people on the pull request, as text. */
export function Threads({ rows, left, page, canAct }: ThreadsProps) {
  if (rows.length === 0) return null;
  return (
    <section>
      <Heading>{l10n.t('Comments on GitHub')}</Heading>
      <ul class="rows">
        {rows.map((row) => (
          <Thread key={row.id} row={row} page={page} canAct={canAct} />
        ))}
      </ul>
      {left > 0 && <p class="quiet">{l10n.t(forgeTexts.older, left)}</p>}
    </section>
  );
}

function Thread({ row, page, canAct }: Acting & { readonly row: ThreadRow }) {
  const [isReplying, setReplying] = useState(false);
  const acting = useRequest(page, 'act');
  const { id, place, state, outdated, isStranger, sha256, canResolve, comments } = row;
  useEffect(() => acting.dismiss(), [sha256, state]);
  const isOff = acting.isBusy || acting.isFiled;
  const fix = (resolve: boolean): void =>
    void acting.tell(
      filed('fix_comment', { comment: id, note: '', shown: sha256, resolve }),
      l10n.t('Returned to coding.'),
    );
  const name = place === '' ? l10n.t('Pull request') : place;
  return (
    <li>
      <Icon name={state === 'resolved' ? 'pass' : 'comment-unresolved'} />
      <details class="grow" open={state !== 'resolved'}>
        <summary>
          <span class="code">{name}</span>{' '}
          <span class="quiet">
            {joined([
              state === 'resolved' ? l10n.t('resolved') : state === 'open' ? l10n.t('open') : '',
              outdated ? l10n.t('outdated') : '',
            ])}
          </span>
        </summary>
        {comments.map(({ author, at, text, isCut }, index) => (
          <div key={index} class="comment">
            <div class="quiet">{joined([author, whenWritten(at)])}</div>
            <div class="plain wrap">{text}</div>
            {isCut && <p class="quiet">{l10n.t(forgeTexts.cut)}</p>}
          </div>
        ))}
        {isStranger && (
          <p class="problem">
            {l10n.t('Someone without write access wrote here. Agents get it only if you choose Fix.')}
          </p>
        )}
        {canAct && state !== 'resolved' && !isReplying && (
          <div class="row thread-actions">
            <Button secondary icon="tools" disabled={isOff} onClick={() => fix(false)}>
              {l10n.t('Fix')}
            </Button>
            {canResolve && (
              <Button secondary icon="tools" disabled={isOff} onClick={() => fix(true)}>
                {l10n.t('Fix and Resolve')}
              </Button>
            )}
            <Button secondary icon="reply" disabled={isOff} onClick={() => setReplying(true)}>
              {l10n.t('Reply on GitHub…')}
            </Button>
          </div>
        )}
        {isReplying && (
          <ReasonForm
            page={page}
            draft={`reply ${id}`}
            label={l10n.t('Reply on GitHub, as you')}
            button={l10n.t('Reply')}
            rows={3}
            maxLength={20_000}
            isBusy={acting.isBusy}
            send={(text) =>
              acting.tell(
                filed('reply_comment', { comment: id, text, resolve: false }),
                l10n.t('Reply posted on GitHub.'),
              )
            }
            onEnd={() => setReplying(false)}
          />
        )}
        <Filed isShown={acting.isFiled} />
        <Failure of={acting} />
      </details>
    </li>
  );
}
