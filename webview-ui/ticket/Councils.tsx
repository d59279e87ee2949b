import type { CouncilTable } from '../../src/protocol/pages/ticket.ts';
import { Icon } from '../base/elements.tsx';
import { Loading } from './Loading.tsx';
import type { Tools } from './tools.ts';
import { useLoaded } from './useLoaded.ts';

/** How the members of each council proposed and voted. */
export function Councils({ page, stamp }: { readonly page: Tools; readonly stamp: string }) {
  const loaded = useLoaded(page, 'councils', {}, stamp);
  if (!loaded.value) return <Loading failure={loaded.failure} />;
  return (
    <>
      {loaded.value.councils.map((council) => (
        <Council key={council.domain} council={council} page={page} />
      ))}
    </>
  );
}

function Council({ council, page }: { readonly council: CouncilTable; readonly page: Tools }) {
  const { texts } = page;
  const title = texts[`council_${council.domain}`];
  return (
    <section>
      <h2 id={`council-${council.domain}`}>{title}</h2>
      {council.voters.length === 0 && <p class="quiet">{texts.noVote}</p>}
      {council.tie && <p class="quiet">{texts.tie}</p>}
      <div class="scroll" tabIndex={0} role="region" aria-labelledby={`council-${council.domain}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.member}</th>
              <th scope="col">{texts.draft}</th>
              {council.voters.map((voter) => (
                <th key={voter} scope="col" class="number">
                  <span class="quiet">{texts.voteOf}</span> <span class="code">{voter}</span>
                </th>
              ))}
              {council.voters.length > 0 && (
                <th scope="col" class="number">
                  {texts.total}
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
                      <Icon name="star-full" /> {texts.winner}
                    </span>
                  )}
                </th>
                <td>
                  {texts[`outcome_${member.draft}`]}
                  {member.draftError !== '' && <div class="problem">{member.draftError}</div>}
                  {member.voteError !== '' && (
                    <div class="problem">
                      {texts.voteRefused} {member.voteError}
                    </div>
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
      <Reasons council={council} page={page} />
    </section>
  );
}

/** Why they voted as they did: a tooltip alone can't be reached by keyboard. */
function Reasons({ council, page }: { readonly council: CouncilTable; readonly page: Tools }) {
  const given = council.members.flatMap(({ name, scores }) =>
    scores.filter(({ reason }) => reason !== '').map(({ voter, sum, reason }) => ({ name, voter, sum, reason })),
  );
  if (given.length === 0) return null;
  return (
    <details>
      <summary>{page.texts.reasons}</summary>
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
