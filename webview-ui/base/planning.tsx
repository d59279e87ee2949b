import * as l10n from '@vscode/l10n';
import type { Opinion } from '../../src/domain/council/opinions.ts';
import type { NotAsked as Questions } from '../../src/domain/requirements/interview.ts';
import { Heading } from './headings.tsx';

/** Folded; the summary says whether they disagree. */
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
                  {!quoted && <span class="quiet"> · {l10n.t('doesn’t quote the draft')}</span>}
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
  const texts: Readonly<Record<Opinion['category'], string>> = {
    coverage: l10n.t('coverage'),
    correctness: l10n.t('correctness'),
    testability: l10n.t('testability'),
    decomposition: l10n.t('decomposition'),
    risks: l10n.t('risks'),
  };
  return texts[category];
}

/** Nothing if every question was asked. */
export function NotAsked({ settled, merged, trimmed }: Questions) {
  const rows = [
    ...settled.map(({ id, prompt, reason }) => ({
      id,
      prompt,
      why: l10n.t('Settled without asking: {0}', reason),
    })),
    ...merged.map(({ id, prompt, into }) => ({ id, prompt, why: l10n.t('Asked as part of {0}', into) })),
    ...trimmed.map(({ id, prompt }) => ({
      id,
      prompt,
      why: l10n.t('Left out: exceeds the budget for follow-up questions'),
    })),
  ];
  if (rows.length === 0) return null;
  return (
    <section aria-label={l10n.t('Not asked')}>
      <Heading>{l10n.t('Not asked')}</Heading>
      <ul>
        {rows.map(({ id, prompt, why }) => (
          <li key={`${id} ${prompt}`} class="plain">
            <span class="quiet">{id}</span> {prompt}
            <div class="plain quiet">{why}</div>
          </li>
        ))}
      </ul>
    </section>
  );
}
