import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import { joined } from '../../../src/base/joined.ts';
import { filed } from '../../../src/protocol/pages/frame.ts';
import type { BeadRow, TicketState } from '../../../src/protocol/pages/ticket.ts';
import { Button, Icon, IconButton, Panel } from '../../base/elements.tsx';
import { Heading } from '../../base/headings.tsx';
import { Failure, Filed, useRequest } from '../../base/useRequest.tsx';
import { BeadFiles } from './BeadFiles.tsx';
import { type Acting, DiffButton, ReasonForm, type Tools } from '../shared/parts.tsx';

interface BeadReviewsProps extends Acting {
  readonly stamp: string;
  readonly beads: readonly BeadRow[];
  readonly actions: TicketState['beadActions'];
}

export function BeadReviews({ beads, actions, stamp, page, canAct }: BeadReviewsProps) {
  const finished = beads.filter(({ status }) => status === 'done');
  const showing = useRequest(page, 'open');
  return (
    <section aria-labelledby="bead-reviews">
      <Heading id="bead-reviews">
        {l10n.t('Beads: {0} of {1} accepted', finished.filter(isAccepted).length, finished.length)}
      </Heading>
      {finished.some(({ diff }) => diff !== null) && (
        <Button
          secondary
          icon="diff-multiple"
          onClick={() => void showing.send({ command: 'showDiff', scope: 'ticket' })}
        >
          {l10n.t('Show All Changes')}
        </Button>
      )}
      <Failure of={showing} />
      <ul class="rows">
        {finished.map((bead) => (
          <BeadReview
            key={bead.id}
            bead={bead}
            stamp={stamp}
            actions={canAct ? actions : { accept: false, reject: false }}
            page={page}
          />
        ))}
      </ul>
    </section>
  );
}

/** Exactly the current diff was accepted. */
function isAccepted({ review }: BeadRow): boolean {
  return review?.verdict === 'accepted' && review.isPresent;
}

interface BeadReviewProps {
  readonly bead: BeadRow;
  readonly stamp: string;
  readonly actions: TicketState['beadActions'];
  readonly page: Tools;
}

function BeadReview({ bead, stamp, actions, page }: BeadReviewProps) {
  const [isRejecting, setRejecting] = useState(false);
  const accepting = useRequest(page, 'act');
  const rejecting = useRequest(page, 'act');
  const evidence = useRequest(page, 'open');
  const { id, diff, review } = bead;
  const verdict = verdictText(bead);
  // What was filed was taken.
  useEffect(() => {
    accepting.dismiss();
    rejecting.dismiss();
  }, [JSON.stringify(review)]);
  const accept = (sha256: string): Promise<boolean> =>
    accepting.tell(
      filed('accept_bead', { bead: id, sha256, reason: '' }),
      `${id}: ${l10n.t('accepted by you')}`,
    );
  const isFiled = accepting.isFiled || rejecting.isFiled;
  return (
    <li class="bead-review">
      <Icon
        name={
          isAccepted(bead)
            ? 'verified-filled'
            : review?.verdict === 'rejected'
              ? 'circle-slash'
              : 'git-commit'
        }
      />
      <div class="grow">
        <div class="row">
          <div class="grow">
            <span class={review ? 'plain' : 'quiet'}>{verdict}</span> · {bead.title}
            <div class="quiet">{joined([iterationsText(bead.iteration), commentsText(bead)])}</div>
          </div>
          <div class="row">
            {diff !== null && <DiffButton bead={id} iteration={null} page={page} />}
            {bead.hasEvidence && (
              <IconButton
                icon="beaker"
                label={l10n.t('Show evidence for {0}', id)}
                onClick={() => void evidence.send({ command: 'showEvidence', bead: id })}
              />
            )}
            {diff !== null && actions.accept && !isAccepted(bead) && (
              <Button
                secondary
                icon="verified"
                label={l10n.t('Accept changes of {0}', id)}
                disabled={accepting.isBusy || isFiled}
                onClick={() => void accept(diff)}
              >
                {l10n.t('Accept')}
              </Button>
            )}
            {diff !== null && actions.reject && !isRejecting && (
              <Button
                secondary
                icon="circle-slash"
                label={l10n.t('Reject changes of {0}', id)}
                opens={`reject ${id}`}
                disabled={isFiled}
                onClick={() => setRejecting(true)}
              >
                {l10n.t('Reject…')}
              </Button>
            )}
          </div>
        </div>
        {diff !== null && <BeadFiles bead={id} stamp={stamp} page={page} />}
        {isRejecting && diff !== null && (
          <Panel name={`reject ${id}`} onLeave={() => setRejecting(false)}>
            <ReasonForm
              page={page}
              draft={`rejects-${id}`}
              label={l10n.t('What is wrong? Beadsmith adds a fix bead; existing commits are kept.')}
              button={l10n.t('Reject')}
              rows={3}
              maxLength={20_000}
              isBusy={rejecting.isBusy}
              send={(text) =>
                rejecting.tell(
                  filed('changes', { items: [{ text, bead: id, rejects: diff }] }),
                  l10n.t('Sent.'),
                )
              }
              onEnd={() => setRejecting(false)}
            >
              <Failure of={rejecting} />
            </ReasonForm>
          </Panel>
        )}
        <Filed isShown={isFiled} />
        <Failure of={accepting} />
        <Failure of={evidence} />
      </div>
    </li>
  );
}

function verdictText({ review }: BeadRow): string {
  if (!review) return l10n.t('not reviewed yet');
  if (review.verdict === 'rejected') return l10n.t('rejected by you: {0}', review.reason);
  return review.isPresent ? l10n.t('accepted by you') : l10n.t('changed since you accepted it');
}

function iterationsText(count: number): string {
  return count === 1 ? l10n.t('1 iteration') : l10n.t('{0} iterations', count);
}

function commentsText({ comments: { drafts, sent, resolved } }: BeadRow): string {
  return joined([
    drafts === 0 ? '' : drafts === 1 ? l10n.t('1 comment not sent') : l10n.t('{0} comments not sent', drafts),
    sent === 0 ? '' : sent === 1 ? l10n.t('1 comment sent') : l10n.t('{0} comments sent', sent),
    resolved === 0
      ? ''
      : resolved === 1
        ? l10n.t('1 comment resolved')
        : l10n.t('{0} comments resolved', resolved),
  ]);
}
