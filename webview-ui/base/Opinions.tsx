import * as l10n from '@vscode/l10n';
import type { Opinion } from '../../src/domain/council/opinions.ts';

/** Shows what the voters said, by draft and category. Folded; the summary says whether they disagree. */
export function Opinions({ opinions }: { readonly opinions: readonly Opinion[] }) {
  if (opinions.length === 0) return null;
  const disputed = opinions.filter(({ dissent }) => dissent.length > 0).length;
  return (
    <details>
      <summary>
        {disputed === 0
          ? l10n.t('Votes by category: the voters agree')
          : l10n.t('Votes by category: the voters disagree on {0} of {1}', disputed, opinions.length)}
      </summary>
      <ul>
        {opinions.map((opinion) => (
          <li key={`${opinion.draft} ${opinion.category}`}>
            <span class="code">{opinion.draft}</span> · {categoryName(opinion.category)}:{' '}
            {l10n.t('{0} of 20, spread {1}', opinion.mean, opinion.spread)}
            {opinion.dissent.length > 0 && (
              <strong> · {l10n.t('dissent: {0}', opinion.dissent.join(', '))}</strong>
            )}
            <ul>
              {opinion.voices.map(({ voter, score, reason, quoted }) => (
                <li key={voter}>
                  <span class="code">{voter}</span> {score}
                  {reason !== '' && <span class="plain">: {reason}</span>}
                  {!quoted && <span class="quiet"> · {l10n.t('quotes nothing of the draft')}</span>}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </details>
  );
}

function categoryName(category: Opinion['category']): string {
  switch (category) {
    case 'coverage':
      return l10n.t('coverage');
    case 'correctness':
      return l10n.t('correctness');
    case 'testability':
      return l10n.t('testability');
    case 'decomposition':
      return l10n.t('decomposition');
    case 'risks':
      return l10n.t('risks');
  }
}
