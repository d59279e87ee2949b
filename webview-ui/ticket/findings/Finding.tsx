import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import {
  doubtTexts,
  findingPlace,
  severityLabels,
  standingText,
  voteLabels,
} from '../../../src/protocol/findings/findingTexts.ts';
import { filed } from '../../../src/protocol/pages/frame.ts';
import type { FindingRow } from '../../../src/protocol/pages/reviews.ts';
import { Button, Icon, IconButton, Panel } from '../../base/elements.tsx';
import { words } from '../../base/format.ts';
import { Failure, Filed, useRequest } from '../../base/useRequest.tsx';
import { type Acting, ReasonForm } from '../shared/parts.tsx';

interface FindingProps extends Acting {
  readonly finding: FindingRow;
  /** The list is read again. */
  readonly onSent: () => void;
}

const icons: Readonly<Record<FindingRow['state'], string>> = {
  open: 'circle-large-filled',
  fixed: 'pass',
  again: 'debug-step-over',
  earlier: 'history',
  requested: 'request-changes',
  bead: 'add',
  noted: 'info',
  dismissed: 'circle-slash',
  unfounded: 'question',
};

export function Finding({ finding, page, canAct, onSent }: FindingProps) {
  const [isDismissing, setDismissing] = useState(false);
  const deciding = useRequest(page, 'act');
  const showing = useRequest(page, 'open');
  const { id, state, claim, sha256, severity, category, decision } = finding;
  // What was filed was taken.
  useEffect(() => deciding.dismiss(), [sha256]);
  const decide = async (
    verdict: 'accept' | 'bead' | 'dismiss',
    said: string,
    reason = '',
  ): Promise<boolean> => {
    const isTaken = await deciding.tell(filed('finding', { finding: id, verdict, reason, sha256 }), said);
    onSent();
    return isTaken;
  };
  const place = findingPlace(finding);
  const isOff = deciding.isBusy || deciding.isFiled;
  const canDecide = canAct && finding.canDecide;
  return (
    <li class={`finding finding-${state}`}>
      <Icon name={icons[state]} />
      <div class="grow">
        <div class="row">
          <div class="grow">
            <div class="plain finding-claim">{claim}</div>
            <div class="quiet">
              <span class={`severity severity-${severity}`}>{l10n.t(severityLabels[severity])}</span> ·{' '}
              {category} · <span class="code">{place}</span>
            </div>
            <div class={decision ? 'plain' : 'quiet'}>
              {standingText({ ...finding, finding }, words)}
              {decision && decision.reason !== '' && `: ${decision.reason}`}
            </div>
          </div>
          <IconButton
            icon="go-to-file"
            label={l10n.t('Show {0} in the diff', place)}
            onClick={() => void showing.send({ command: 'showFinding', finding: id })}
          />
          {canDecide && decision?.verdict !== 'accept' && (
            <Button
              secondary
              icon="check"
              label={l10n.t('Accept: {0}', claim)}
              disabled={isOff}
              onClick={() => void decide('accept', l10n.t('Accepted.'))}
            >
              {l10n.t('Accept')}
            </Button>
          )}
          {canDecide && decision?.verdict !== 'dismiss' && !isDismissing && (
            <Button
              secondary
              icon="circle-slash"
              label={l10n.t('Dismiss…: {0}', claim)}
              opens={`dismiss ${id}`}
              disabled={isOff}
              onClick={() => setDismissing(true)}
            >
              {l10n.t('Dismiss…')}
            </Button>
          )}
          {canDecide && decision?.verdict !== 'bead' && (
            <Button
              secondary
              icon="add"
              label={l10n.t('Make Bead: {0}', claim)}
              disabled={isOff}
              onClick={() => void decide('bead', l10n.t('It becomes a bead.'))}
            >
              {l10n.t('Make Bead')}
            </Button>
          )}
        </div>
        {isDismissing && (
          <Panel name={`dismiss ${id}`} onLeave={() => setDismissing(false)}>
            <ReasonForm
              page={page}
              draft={`dismisses-${id}`}
              label={l10n.t('Why shouldn’t it be fixed? Later reviews receive the reason.')}
              button={l10n.t('Dismiss')}
              rows={2}
              maxLength={4_000}
              isBusy={deciding.isBusy}
              send={(reason) => decide('dismiss', l10n.t('Dismissed.'), reason)}
              onEnd={() => setDismissing(false)}
            />
          </Panel>
        )}
        <Filed isShown={deciding.isFiled} />
        <Failure of={deciding} />
        <Failure of={showing} />
        <Details finding={finding} />
      </div>
    </li>
  );
}

function Details({
  finding: { evidence, suggestedFix, test, doubt, personas = [], ballots = [] },
}: {
  readonly finding: FindingRow;
}) {
  if (
    evidence.trim() === '' &&
    suggestedFix.trim() === '' &&
    !test &&
    doubt === null &&
    personas.length === 0
  )
    return null;
  return (
    <details class="finding-details">
      <summary>{l10n.t('Details')}</summary>
      {doubt !== null && (
        <p>
          <Icon name="warning" /> {l10n.t('Doubtful: {0}', l10n.t(doubtTexts[doubt]))}
        </p>
      )}
      {personas.length > 0 && <p>{l10n.t('Found by {0}', personas.join(', '))}</p>}
      {ballots.length > 0 && (
        <ul>
          {ballots.map(({ persona, vote, reason }) => (
            <li key={persona}>
              <strong>{persona}</strong> {l10n.t(voteLabels[vote])}
              {reason !== '' && <span class="plain">: {reason}</span>}
            </li>
          ))}
        </ul>
      )}
      {evidence.trim() !== '' && (
        <pre class="finding-code" tabIndex={0} aria-label={l10n.t('Quoted code')}>
          {evidence}
        </pre>
      )}
      {suggestedFix.trim() !== '' && <p class="plain">{l10n.t('Suggested fix: {0}', suggestedFix.trim())}</p>}
      {test && (
        <p>
          {l10n.t('Test that demonstrates it: {0}', test.file)} <span class="code">{test.command}</span>
        </p>
      )}
    </details>
  );
}
