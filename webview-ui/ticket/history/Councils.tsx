import * as l10n from '@vscode/l10n';
import { type CouncilLedger, soloSentence } from '../../../src/domain/council/ledger.ts';
import type { CouncilReport } from '../../../src/protocol/council/councilReport.ts';
import { Icon, PlainItems } from '../../base/elements.tsx';
import { cost, count, documentName, duration, outcomeText } from '../../base/format.ts';
import { Heading } from '../../base/headings.tsx';
import { Opinions } from '../../base/planning.tsx';
import { Heads, Loading, Table, type Tools, useLoaded } from '../shared/parts.tsx';

export function Councils({ page, stamp }: { readonly page: Tools; readonly stamp: string }) {
  const loaded = useLoaded(page, 'councils', {}, stamp);
  if (!loaded.value) return <Loading failure={loaded.failure} />;
  return (
    <>
      {loaded.value.map((council) => (
        <Council key={council.domain} council={council} />
      ))}
    </>
  );
}

function Council({ council }: { readonly council: CouncilReport }) {
  const { domain, winner, votes, checks, totals } = council;
  return (
    <section>
      <Heading id={`council-${domain}`}>{documentName(domain)}</Heading>
      {votes.length === 0 && (
        <p class="quiet">{l10n.t('There was only one valid draft, so there was no vote.')}</p>
      )}
      {council.fewer && (
        <p>
          {l10n.t(
            'Only {0} decided, although the quorum is {1}: in a council of two, one is enough.',
            council.fewer.decided,
            council.fewer.wanted,
          )}
        </p>
      )}
      {council.tie && <p class="quiet">{l10n.t('The vote was a tie; the main implementer’s draft won.')}</p>}
      <Table heading={`council-${domain}`}>
        <Heads
          texts={[l10n.t('Member'), l10n.t('Draft')]}
          numbers={[
            ...votes.map(({ voter }) => l10n.t('Vote of {0}', voter)),
            ...(votes.length > 0 ? [l10n.t('Total')] : []),
          ]}
        />
        <tbody>
          {council.drafts.map(({ member, outcome, error }) => {
            const own = votes.find(({ voter }) => voter === member);
            return (
              <tr key={member} class={member === winner ? 'won' : undefined}>
                <th scope="row">
                  <span class="code">{member}</span>
                  {member === winner && (
                    <span class="winner">
                      <Icon name="star-full" /> {l10n.t('Winner')}
                    </span>
                  )}
                </th>
                <td>
                  {outcomeText(outcome)}
                  {error && <div class="problem">{error}</div>}
                  {checks[member]?.map((found) => (
                    <div key={found} class="quiet plain">
                      {found}
                    </div>
                  ))}
                  {own?.error && <div class="problem">{l10n.t('No valid vote: {0}', own.error)}</div>}
                </td>
                {votes.map(({ voter, scores }) => (
                  <td key={voter} class="number" title={scores[member]?.reason}>
                    {scores[member]?.sum ?? '–'}
                  </td>
                ))}
                {votes.length > 0 && <td class="number">{totals[member] ?? '–'}</td>}
              </tr>
            );
          })}
        </tbody>
      </Table>
      <Opinions opinions={council.opinions} />
      {council.ledger && <Ledger ledger={council.ledger} title={`council-${domain}`} />}
      <Reasons council={council} />
    </section>
  );
}

/** Each score of each vote. */
export function scoresOf({ votes }: Pick<CouncilReport, 'votes'>) {
  return votes.flatMap(({ voter, scores }) =>
    Object.entries(scores).map(([member, score]) => ({ voter, member, ...score })),
  );
}

/** A tooltip alone can't be reached by keyboard. */
function Reasons({ council }: { readonly council: CouncilReport }) {
  const given = scoresOf(council).filter(({ reason }) => reason !== '');
  if (given.length === 0) return null;
  return (
    <details>
      <summary>{l10n.t('Reasons for the votes')}</summary>
      <ul>
        {given.map(({ member, voter, sum, reason }) => (
          <li key={`${voter} ${member}`}>
            <span class="code">
              {voter} → {member}
            </span>{' '}
            {sum}: <span class="plain">{reason}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Ledger({ ledger, title }: { readonly ledger: CouncilLedger; readonly title: string }) {
  const others = ledger.members.filter(
    ({ member, examples }) => member !== ledger.winner && examples.length > 0,
  );
  return (
    <details>
      <summary>{l10n.t('Cost, and what each draft contributed to the result')}</summary>
      {ledger.soloWouldDo && <p>{l10n.t(soloSentence, ledger.winner)}</p>}
      <Table heading={title}>
        <Heads
          texts={[l10n.t('Member')]}
          numbers={[
            l10n.t('Calls'),
            l10n.t('Time'),
            l10n.t('Tokens in'),
            l10n.t('Tokens out'),
            l10n.t('Cost'),
            l10n.t('In the result'),
          ]}
        />
        <tbody>
          {ledger.members.map((one) => (
            <tr key={one.member}>
              <th scope="row">
                <span class="code">{one.member}</span>
              </th>
              <td class="number">{count(one.calls)}</td>
              <td class="number">{duration(one.ms)}</td>
              <td class="number">{one.isShared ? `≈ ${count(one.input)}` : count(one.input)}</td>
              <td class="number">{one.isShared ? `≈ ${count(one.output)}` : count(one.output)}</td>
              <td class="number">{cost(one.cost)}</td>
              <td class="number">{l10n.t('{0} of {1} texts', count(one.survived), count(one.texts))}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {others.map(({ member, examples }) => (
        <div key={member}>
          <p>{l10n.t('In the result from {0}, and not from the winner’s own draft:', member)}</p>
          <ul>
            <PlainItems of={examples} />
          </ul>
        </div>
      ))}
    </details>
  );
}
