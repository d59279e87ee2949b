import * as l10n from '@vscode/l10n';
import { joined } from '../../../src/base/joined.ts';
import type { Attribution, DecidedCouncil } from '../../../src/protocol/council/councilReport.ts';
import { outcomeText } from '../../base/format.ts';
import { Heading } from '../../base/headings.tsx';
import { Opinions } from '../../base/planning.tsx';
import { scoresOf } from '../history/Councils.tsx';

export function CouncilView({ council }: { readonly council: DecidedCouncil }) {
  const { winner, tie, drafts, totals, opinions, changes } = council;
  const votes = scoresOf(council);
  return (
    <details class="fold">
      <summary>
        {tie
          ? l10n.t('How this was decided: {0} proposed it, after a tie', winner)
          : l10n.t('How this was decided: {0} proposed it', winner)}
      </summary>
      {drafts.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{l10n.t('Member')}</th>
              <th scope="col">{l10n.t('Draft')}</th>
              <th scope="col">{l10n.t('Total')}</th>
            </tr>
          </thead>
          <tbody>
            {drafts.map(({ member, outcome, error }) => (
              <tr key={member}>
                <th scope="row">{member}</th>
                <td>
                  {outcomeText(outcome)}
                  {error && <span class="quiet plain"> · {error}</span>}
                </td>
                <td>{totals[member] ?? ''}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {votes.length === 0 ? (
        <p class="quiet">{l10n.t('No vote: there was only one draft.')}</p>
      ) : (
        <>
          <Heading>{l10n.t('Votes')}</Heading>
          <ul>
            {votes.map(({ voter, member, sum, reason }) => (
              <li key={`${voter} ${member}`}>
                {l10n.t('{0} gave {1} {2} out of 100', voter, member, sum)}
                {reason !== '' && <span class="quiet plain"> · {reason}</span>}
              </li>
            ))}
          </ul>
          <Opinions opinions={opinions} />
        </>
      )}
      {changes.length > 0 && (
        <>
          <Heading>{l10n.t('What the winner changed')}</Heading>
          <ul>
            {changes.map((change, place) => (
              <li key={place}>
                {changeText(change)}{' '}
                <span class="quiet">
                  ·{' '}
                  {change.inspiredBy === null
                    ? l10n.t('own idea')
                    : l10n.t('inspired by {0}', change.inspiredBy)}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  );
}

function changeText({ type, before, after }: Attribution): string {
  const change = joined([...new Set([before, after])], ' → ');
  const texts: Readonly<Record<Attribution['type'], string>> = {
    added: l10n.t('added: {0}', change),
    modified: l10n.t('changed: {0}', change),
    replaced: l10n.t('replaced: {0}', change),
    removed: l10n.t('removed: {0}', change),
    invalid_unattributed: l10n.t('not understood: {0}', change),
  };
  return texts[type];
}
