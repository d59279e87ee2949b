import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import type { FindingRow } from '../../../src/protocol/pages/reviews.ts';
import { Button, Icon, IconButton } from '../../base/elements.tsx';
import { Panel } from '../../base/Panel.tsx';
import { Failure, Filed, sentText, useRequest } from '../../base/useRequest.tsx';
import type { Tools } from '../shared/tools.ts';
import { Dismissal } from './Dismissal.tsx';

interface FindingProps {
  readonly finding: FindingRow;
  readonly page: Tools;
  readonly canAct: boolean;
  /** Something was sent, so that the list is read again. */
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

/**
 * A finding with all that is known of it, and the decisions that are possible. What a model wrote is shown as
 * text.
 */
export function Finding({ finding, page, canAct, onSent }: FindingProps) {
  const [isDismissing, setDismissing] = useState(false);
  const deciding = useRequest(page, 'decideFinding');
  const showing = useRequest(page, 'showFinding');
  const { id, state, claim, sha256, label, severity, severityLabel, category, decision } = finding;
  // What was filed was taken.
  useEffect(() => deciding.dismiss(), [sha256]);
  const decide = async (verdict: 'accept' | 'bead', said: string): Promise<void> => {
    const settled = await deciding.send({ finding: id, verdict, reason: '', sha256 });
    if (settled.ok) page.announce(sentText(settled.value.state, said));
    onSent();
  };
  const place = finding.line === null ? finding.file : `${finding.file}:${String(finding.line)}`;
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
              <span class={`severity severity-${severity}`}>{severityLabel}</span> · {category} ·{' '}
              <span class="code">{place}</span>
            </div>
            <div class={decision ? 'plain' : 'quiet'}>
              {label}
              {decision && decision.reason !== '' && `: ${decision.reason}`}
            </div>
          </div>
          <IconButton
            icon="go-to-file"
            label={l10n.t('Show {0} in the diff', place)}
            onClick={() => void showing.send({ finding: id })}
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
              label={l10n.t('Make a Bead: {0}', claim)}
              disabled={isOff}
              onClick={() => void decide('bead', l10n.t('It becomes a bead.'))}
            >
              {l10n.t('Make a Bead')}
            </Button>
          )}
        </div>
        {isDismissing && (
          <Panel name={`dismiss ${id}`} onLeave={() => setDismissing(false)}>
            <Dismissal
              finding={finding}
              page={page}
              deciding={deciding}
              onEnd={() => setDismissing(false)}
              onSent={onSent}
            />
          </Panel>
        )}
        <Filed isShown={deciding.isFiled} />
        <Failure failure={deciding.failure} onDismiss={deciding.dismiss} />
        <Failure failure={showing.failure} onDismiss={showing.dismiss} />
        <Details finding={finding} />
      </div>
    </li>
  );
}

/** The quoted code, the suggested fix, the test that shows it, and why it isn't believed. */
function Details({
  finding: { evidence, suggestedFix, test, doubt, personas, ballots },
}: {
  readonly finding: FindingRow;
}) {
  if (evidence.trim() === '' && suggestedFix.trim() === '' && !test && doubt === '' && personas.length === 0)
    return null;
  return (
    <details class="finding-details">
      <summary>{l10n.t('Details')}</summary>
      {doubt !== '' && (
        <p>
          <Icon name="warning" /> {l10n.t('Not believed: {0}', doubt)}
        </p>
      )}
      {personas.length > 0 && <p>{l10n.t('Found by {0}', personas.join(', '))}</p>}
      {ballots.length > 0 && (
        <ul>
          {ballots.map(({ persona, vote, reason }) => (
            <li key={persona}>
              <strong>{persona}</strong> {vote}
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
          {l10n.t('Test that shows it: {0}', test.file)} <span class="code">{test.command}</span>
        </p>
      )}
    </details>
  );
}
