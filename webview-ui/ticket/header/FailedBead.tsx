import * as l10n from '@vscode/l10n';
import type { FailedBeadRow } from '../../../src/protocol/pages/reviews.ts';
import { Button } from '../../base/elements.tsx';
import { Failure, Filed, sentText, useRequest } from '../../base/useRequest.tsx';
import type { Tools } from '../shared/tools.ts';

interface FailedBeadProps {
  readonly failed: FailedBeadRow;
  readonly page: Tools;
  readonly canAct: boolean;
}

/** Shows why a bead failed, by its analysis, and what can be done about it with one click. */
export function FailedBead({ failed, page, canAct }: FailedBeadProps) {
  const deciding = useRequest(page, 'decideBead');
  const { bead, analysis, proposed, sha256, choices } = failed;
  const decide = async (choice: FailedBeadRow['choices'][number]['choice']): Promise<void> => {
    const settled = await deciding.send({ bead, choice, sha256 });
    if (settled.ok) page.announce(sentText(settled.value.state, l10n.t('Sent.')));
  };
  return (
    <section aria-labelledby="failed-bead">
      <h3 id="failed-bead">
        {analysis ? l10n.t('Failure analysis of {0}', bead) : l10n.t('What becomes of {0}?', bead)}
      </h3>
      {analysis && (
        <>
          <p class="plain">{analysis.rootCause}</p>
          <p>
            <strong>{l10n.t('Recommendation: {0}', analysis.label)}</strong>{' '}
            <span class="quiet">{l10n.t('confidence {0} %', Math.round(analysis.confidence * 100))}</span>
          </p>
          <p class="plain">{analysis.rationale}</p>
          {analysis.plan.length > 0 && (
            <ol>
              {analysis.plan.map((step, index) => (
                <li key={index} class="plain">
                  {step}
                </li>
              ))}
            </ol>
          )}
        </>
      )}
      {proposed.length > 0 && (
        <>
          <p>{l10n.t('Proposed in its place:')}</p>
          <ul>
            {proposed.map(({ id, title }) => (
              <li key={id} class="plain">
                {title} <span class="quiet code">{id}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {canAct && (
        <div class="row">
          {choices.map(({ choice, label, icon }, index) => (
            <Button
              key={choice}
              secondary={index > 0 || (!analysis && proposed.length === 0)}
              icon={icon}
              disabled={deciding.isBusy || deciding.isFiled}
              onClick={() => void decide(choice)}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
      <Filed isShown={deciding.isFiled} />
      <Failure failure={deciding.failure} onDismiss={deciding.dismiss} />
    </section>
  );
}
