import * as l10n from '@vscode/l10n';
import type { TicketFindings } from '../../../src/protocol/pages/reviews.ts';
import { count } from '../../base/format.ts';

/** Shows what each reviewer raised in this repository so far, and what of it held. */
export function Reviewers({ reviewers }: Pick<TicketFindings, 'reviewers'>) {
  if (reviewers.length === 0) return null;
  const title = l10n.t('Reviewers in this repository');
  return (
    <section aria-labelledby="reviewers">
      <h2 id="reviewers">{title}</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{l10n.t('Reviewer')}</th>
              {[
                l10n.t('Reviews'),
                l10n.t('Raised'),
                l10n.t('Founded'),
                l10n.t('Confirmed'),
                l10n.t('Fixed'),
                l10n.t('Dismissed'),
              ].map((name) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {reviewers.map(({ reviewer, reviews, raised, founded, confirmed, fixed, dismissed }) => (
              <tr key={reviewer}>
                <th scope="row" class="code">
                  {reviewer}
                </th>
                {[reviews, raised, founded, confirmed, fixed, dismissed].map((number, index) => (
                  <td key={index} class="number">
                    {count(number)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
