import { useEffect, useState } from 'preact/hooks';
import type { BeadRow, TicketState } from '../../src/protocol/pages/ticket.ts';
import { Button, Icon, IconButton } from '../base/elements.tsx';
import { fill } from '../base/fill.ts';
import { Panel } from '../base/Panel.tsx';
import { Failure, Filed, useRequest } from '../base/useRequest.tsx';
import { DiffButton } from './DiffButton.tsx';
import { Rejection } from './Rejection.tsx';
import type { Tools } from './tools.ts';

interface BeadReviewsProps {
  readonly beads: readonly BeadRow[];
  readonly actions: TicketState['beadActions'];
  readonly page: Tools;
  readonly canAct: boolean;
}

/** What each finished bead came to, how it was checked, and whether a person is content with it. */
export function BeadReviews({ beads, actions, page, canAct }: BeadReviewsProps) {
  const finished = beads.filter(({ status }) => status === 'done');
  return (
    <section aria-labelledby="bead-reviews">
      <h2 id="bead-reviews">{fill(page.texts.beadsAccepted, finished.filter(isAccepted).length, finished.length)}</h2>
      <ul class="rows">
        {finished.map((bead) => (
          <BeadReview key={bead.id} bead={bead} actions={canAct ? actions : { accept: false, reject: false }} page={page} />
        ))}
      </ul>
    </section>
  );
}

/** What was accepted is exactly the diff as it is now. */
function isAccepted({ review }: BeadRow): boolean {
  return review?.verdict === 'accepted' && review.isPresent;
}

interface BeadReviewProps {
  readonly bead: BeadRow;
  readonly actions: TicketState['beadActions'];
  readonly page: Tools;
}

function BeadReview({ bead, actions, page }: BeadReviewProps) {
  const { texts } = page;
  const [isRejecting, setRejecting] = useState(false);
  const accepting = useRequest(page, 'acceptBead');
  const rejecting = useRequest(page, 'rejectBead');
  const evidence = useRequest(page, 'showEvidence');
  const { id, diff, review } = bead;
  const verdict = verdictText(bead, texts);
  // What was filed was taken.
  useEffect(() => {
    accepting.dismiss();
    rejecting.dismiss();
  }, [JSON.stringify(review)]);
  const accept = async (sha256: string): Promise<void> => {
    const settled = await accepting.send({ bead: id, sha256 });
    if (settled.ok) page.announce(settled.value.state === 'pending' ? texts.pending : `${id}: ${texts.accepted}`);
  };
  const isFiled = accepting.isFiled || rejecting.isFiled;
  return (
    <li class="bead-review">
      <Icon name={isAccepted(bead) ? 'verified-filled' : review?.verdict === 'rejected' ? 'circle-slash' : 'git-commit'} />
      <div class="grow">
        <div class="row">
          <div class="grow">
            {bead.title} <span class="quiet code">{id}</span>
            <div class="quiet">
              {fill(texts.iterations, bead.iteration)}
              {commentsText(bead, texts)}
            </div>
            <div class={review ? 'plain' : 'quiet'}>{verdict}</div>
          </div>
          {diff !== null && <DiffButton bead={id} iteration={null} page={page} />}
          {bead.hasEvidence && (
            <IconButton icon="beaker" label={fill(texts.evidenceOf, id)} onClick={() => void evidence.send({ bead: id })} />
          )}
          {diff !== null && actions.accept && !isAccepted(bead) && (
            <Button
              secondary
              icon="verified"
              label={fill(texts.acceptOf, id)}
              disabled={accepting.isBusy || isFiled}
              onClick={() => void accept(diff)}
            >
              {texts.accept}
            </Button>
          )}
          {diff !== null && actions.reject && !isRejecting && (
            <Button
              secondary
              icon="circle-slash"
              label={fill(texts.rejectOf, id)}
              opens={`reject ${id}`}
              disabled={isFiled}
              onClick={() => setRejecting(true)}
            >
              {texts.reject}
            </Button>
          )}
        </div>
        {isRejecting && diff !== null && (
          <Panel name={`reject ${id}`} onLeave={() => setRejecting(false)}>
            <Rejection bead={id} sha256={diff} page={page} rejecting={rejecting} onEnd={() => setRejecting(false)} />
          </Panel>
        )}
        <Filed isShown={isFiled} />
        <Failure failure={accepting.failure} onDismiss={accepting.dismiss} />
        <Failure failure={evidence.failure} onDismiss={evidence.dismiss} />
      </div>
    </li>
  );
}

function verdictText({ review }: BeadRow, texts: Tools['texts']): string {
  if (!review) return texts.notReviewed;
  if (review.verdict === 'rejected') return fill(texts.rejectedByYou, review.reason);
  return review.isPresent ? texts.accepted : texts.acceptedBefore;
}

function commentsText({ comments }: BeadRow, texts: Tools['texts']): string {
  const { drafts, sent, resolved } = comments;
  return [
    drafts > 0 ? ` · ${fill(texts.threadDrafts, drafts)}` : '',
    sent > 0 ? ` · ${fill(texts.threadsSent, sent)}` : '',
    resolved > 0 ? ` · ${fill(texts.threadsResolved, resolved)}` : '',
  ].join('');
}
