import * as l10n from '@vscode/l10n';
import type { CouncilTable } from '../../../src/protocol/pages/ticket.ts';
import { Icon } from '../../base/elements.tsx';
import { Opinions } from '../../base/Opinions.tsx';
import { documentName, outcomeText } from '../../base/format.ts';
import { Loading } from '../shared/Loading.tsx';
import type { Tools } from '../shared/tools.ts';
import { useLoaded } from '../shared/useLoaded.ts';
import { Ledger } from './Ledger.tsx';

/** Shows how the members of each council proposed and voted. */
export function Councils({ page, stamp }: { readonly page: Tools; readonly stamp: string }) {
  const loaded = useLoaded(page, 'councils', {}, stamp);
  if (!loaded.value) return <Loading failure={loaded.failure} />;
  return (
    <>
      {loaded.value.councils.map((council) => (
        <Council key={council.domain} council={council} />
      ))}
    </>
  );
}

function Council({ council }: { readonly council: CouncilTable }) {
  const title = documentName(council.domain);
  return (
    <section>
      <h2 id={`council-${council.domain}`}>{title}</h2>
      {council.voters.length === 0 && (
        <p class="quiet">{l10n.t('There was only one valid draft, so there was no vote.')}</p>
      )}
      {council.fewer && (
        <p>
          {l10n.t(
            'Only {0} decided, where the quorum asks for {1}: of two members, one is enough.',
            council.fewer.decided,
            council.fewer.wanted,
          )}
        </p>
      )}
      {council.tie && <p class="quiet">{l10n.t('The vote was a tie; the main implementer’s draft won.')}</p>}
      <div class="scroll" tabIndex={0} role="region" aria-labelledby={`council-${council.domain}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">{l10n.t('Member')}</th>
              <th scope="col">{l10n.t('Draft')}</th>
              {council.voters.map((voter) => (
                <th key={voter} scope="col" class="number">
                  {l10n.t('Vote of {0}', voter)}
                </th>
              ))}
              {council.voters.length > 0 && (
                <th scope="col" class="number">
                  {l10n.t('Total')}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {council.members.map((member) => (
              <tr key={member.name} class={member.won ? 'won' : undefined}>
                <th scope="row">
                  <span class="code">{member.name}</span>
                  {member.won && (
                    <span class="winner">
                      <Icon name="star-full" /> {l10n.t('Winner')}
                    </span>
                  )}
                </th>
                <td>
                  {outcomeText(member.draft)}
                  {member.draftError !== '' && <div class="problem">{member.draftError}</div>}
                  {member.checks.map((found) => (
                    <div key={found} class="quiet plain">
                      {found}
                    </div>
                  ))}
                  {member.voteError !== '' && (
                    <div class="problem">{l10n.t('No valid vote: {0}', member.voteError)}</div>
                  )}
                </td>
                {member.scores.map(({ voter, sum, reason }) => (
                  <td key={voter} class="number" title={reason}>
                    {sum ?? '–'}
                  </td>
                ))}
                {council.voters.length > 0 && <td class="number">{member.total ?? '–'}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Opinions opinions={council.opinions} />
      {council.ledger && <Ledger ledger={council.ledger} title={`council-${council.domain}`} />}
      <Reasons council={council} />
    </section>
  );
}

/** Lists the reasons of the voters: a tooltip alone can't be reached by keyboard. */
function Reasons({ council }: { readonly council: CouncilTable }) {
  const given = council.members.flatMap(({ name, scores }) =>
    scores
      .filter(({ reason }) => reason !== '')
      .map(({ voter, sum, reason }) => ({ name, voter, sum, reason })),
  );
  if (given.length === 0) return null;
  return (
    <details>
      <summary>{l10n.t('Reasons for the votes')}</summary>
      <ul>
        {given.map(({ name, voter, sum, reason }) => (
          <li key={`${voter} ${name}`}>
            <span class="code">
              {voter} → {name}
            </span>{' '}
            {sum}: <span class="plain">{reason}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
