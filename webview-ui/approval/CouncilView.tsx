import { fill } from '../base/fill.ts';
import type { Attribution, Council } from '../../src/protocol/pages/approval.ts';
import type { ApprovalText, ApprovalTexts } from '../../src/protocol/pages/approvalTexts.ts';

const outcomes: Readonly<Record<string, ApprovalText>> = {
  completed: 'outcomeCompleted',
  timed_out: 'outcomeTimedOut',
  invalid_output: 'outcomeInvalid',
  failed: 'outcomeFailed',
};
const changeTypes: Readonly<Record<Attribution['type'], ApprovalText>> = {
  added: 'changeAdded',
  modified: 'changeModified',
  replaced: 'changeReplaced',
  removed: 'changeRemoved',
};

/** Who proposed a document, who voted how, and what the winner took from others. Folded until somebody asks. */
export function CouncilView({ council, texts }: { readonly council: Council; readonly texts: ApprovalTexts }) {
  const { winner, tie, members, votes, changes } = council;
  return (
    <details class="fold">
      <summary>
        {texts.council}: {fill(texts.winner, winner)}
        {tie ? `, ${texts.tie}` : ''}
      </summary>
      {members.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.member}</th>
              <th scope="col">{texts.outcome}</th>
              <th scope="col">{texts.total}</th>
            </tr>
          </thead>
          <tbody>
            {members.map(({ name, outcome, error, total }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  {texts[outcomes[outcome] ?? 'outcomeFailed']}
                  {error !== '' && <span class="quiet plain"> · {error}</span>}
                </td>
                <td>{total ?? ''}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {votes.length === 0 ? (
        <p class="quiet">{texts.alone}</p>
      ) : (
        <>
          <h3>{texts.votes}</h3>
          <ul>
            {votes.map(({ voter, member, sum, reason }) => (
              <li key={`${voter} ${member}`}>
                {fill(texts.vote, voter, member, sum)}
                {reason !== '' && <span class="quiet plain"> · {reason}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
      {changes.length > 0 && (
        <>
          <h3>{texts.changes}</h3>
          <ul>
            {changes.map((change, place) => (
              <li key={place}>
                {texts[changeTypes[change.type]]}: {[change.before, change.after].filter((line) => line !== '').join(' → ')}{' '}
                <span class="quiet">· {change.inspiredBy === null ? texts.ownIdea : fill(texts.inspired, change.inspiredBy)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  );
}
