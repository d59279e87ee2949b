import { useState } from 'preact/hooks';
import type { ServedDetail, ServedKind } from '../../src/protocol/team/served.ts';
import { Button } from '../base/elements.tsx';
import { shownHash } from './checkedDocuments.ts';
import { TextArea } from './work.tsx';

export type Decide = (kind: ServedKind, body: unknown, done: string) => Promise<boolean>;

interface Props {
  readonly detail: ServedDetail;
  readonly disabled: boolean;
  readonly decide: Decide;
}

/** The decisions about the whole ticket: of its documents, or of its changes. */
export function Decisions({ detail, disabled, decide }: Props) {
  const { can, gapsOpen } = detail;
  const [reason, setReason] = useState('');
  const [wish, setWish] = useState<string>();
  const hash = shownHash(detail);
  const kind = can.includes('changes') ? 'changes' : can.includes('regenerate') ? 'regenerate' : undefined;
  const mayApprove = can.includes('approve');
  if (!mayApprove && kind === undefined) return null;
  const approve = (): void => void decide('approve', { sha256: hash, reason: reason.trim() }, 'Approved.');
  const ask = async (): Promise<void> => {
    const text = (wish ?? '').trim();
    const body = kind === 'changes' ? { items: [{ text }] } : { note: text };
    if (kind && (await decide(kind, body, 'Changes requested.'))) setWish(undefined);
  };
  return (
    <section class="decisions" aria-label="Decision">
      {mayApprove && hash === undefined && (
        <p class="failure" role="alert">
          What is shown differs from what would be approved. Reload the page.
        </p>
      )}
      {mayApprove && hash !== undefined && (
        <p class="quiet">
          Approves exactly this version: <code class="hash">{hash}</code>
        </p>
      )}
      {mayApprove && gapsOpen && (
        <TextArea label="Reason for approving with gaps" value={reason} onInput={setReason} rows={2} />
      )}
      {wish !== undefined && (
        <TextArea label="Which changes do you want?" value={wish} onInput={setWish} rows={4} />
      )}
      <div class="actions">
        {mayApprove && wish === undefined && (
          <Button
            disabled={disabled || hash === undefined || (gapsOpen && reason.trim() === '')}
            onClick={approve}
          >
            Approve
          </Button>
        )}
        {kind !== undefined && wish === undefined && (
          <Button secondary disabled={disabled} onClick={() => setWish('')}>
            Request Changes…
          </Button>
        )}
        {wish !== undefined && (
          <>
            <Button disabled={disabled || wish.trim() === ''} onClick={() => void ask()}>
              Request Changes
            </Button>
            <Button secondary onClick={() => setWish(undefined)}>
              Cancel
            </Button>
          </>
        )}
      </div>
    </section>
  );
}

/** A bead's diff: accepted as it is, or sent back with a reason. */
export function DiffDecision({
  diff: { bead, sha256 },
  can,
  disabled,
  decide,
}: Omit<Props, 'detail'> & {
  readonly diff: ServedDetail['diffs'][number];
  readonly can: ServedDetail['can'];
}) {
  const [wish, setWish] = useState<string>();
  const reject = async (): Promise<void> => {
    const items = [{ text: (wish ?? '').trim(), bead, rejects: sha256 }];
    if (await decide('changes', { items }, 'Changes requested.')) setWish(undefined);
  };
  return (
    <>
      {wish !== undefined && (
        <TextArea label={`What is wrong with ${bead}?`} value={wish} onInput={setWish} />
      )}
      <div class="actions">
        {can.includes('accept_bead') && wish === undefined && (
          <Button
            secondary
            disabled={disabled}
            label={`Accept Bead ${bead}`}
            onClick={() => void decide('accept_bead', { bead, sha256 }, 'Bead accepted.')}
          >
            Accept Bead
          </Button>
        )}
        {can.includes('changes') && wish === undefined && (
          <Button secondary disabled={disabled} label={`Reject Bead… ${bead}`} onClick={() => setWish('')}>
            Reject Bead…
          </Button>
        )}
        {wish !== undefined && (
          <>
            <Button disabled={disabled || wish.trim() === ''} onClick={() => void reject()}>
              Reject Bead
            </Button>
            <Button secondary onClick={() => setWish(undefined)}>
              Cancel
            </Button>
          </>
        )}
      </div>
    </>
  );
}
