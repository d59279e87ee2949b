import { ProgressRing } from '../base/elements.tsx';
import type { PageFailure } from '../base/pageLink.ts';
import type { Tools } from './tools.ts';

/** In the place of something that isn't there yet, or couldn't be had. */
export function Loading({ failure, page }: { readonly failure: PageFailure | undefined; readonly page: Tools }) {
  if (failure)
    return (
      <p class="problem" role="alert">
        {failure.message} {failure.nextStep}
      </p>
    );
  return (
    <p class="quiet">
      <ProgressRing /> {page.base.loading}
    </p>
  );
}
