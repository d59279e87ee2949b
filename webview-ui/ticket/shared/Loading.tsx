import * as l10n from '@vscode/l10n';
import { ProgressRing } from '../../base/elements.tsx';
import type { PageFailure } from '../../base/pageLink.ts';

/** In the place of something that isn't there yet, or couldn't be had. */
export function Loading({ failure }: { readonly failure: PageFailure | undefined }) {
  if (failure)
    return (
      <p class="problem" role="alert">
        {failure.message} {failure.nextStep}
      </p>
    );
  return (
    <p class="quiet">
      <ProgressRing /> {l10n.t('Loading…')}
    </p>
  );
}
