import * as l10n from '@vscode/l10n';
import type { DraftStatus, DraftStore } from './draftStore.ts';
import { Icon } from './elements.tsx';
import { useDraftStatus } from './useDraft.ts';

/** Says that something is unsent and where it is until then. A draft that can't be stored is said at once. */
export function DraftNote({ store }: { readonly store: DraftStore }) {
  const status = useDraftStatus(store);
  if (status.kind === 'none') return null;
  if (status.kind === 'failed')
    return (
      <p class="failure" role="alert">
        <Icon name="error" /> {l10n.t('Your draft can’t be saved: {0}', status.problem)}
      </p>
    );
  return (
    <p class="draft-note">
      <span>{draftText(status.kind)}</span>
    </p>
  );
}

/**
 * Carries out Ctrl+S where drafts are all there is to save: they are stored as they are typed, so it only
 * announces when they are.
 */
export async function announceDraft(page: {
  readonly draftStore: DraftStore;
  announce(text: string): void;
}): Promise<void> {
  page.announce(draftText((await page.draftStore.settled()).kind));
}

function draftText(kind: DraftStatus['kind']): string {
  switch (kind) {
    case 'none':
      return l10n.t('Nothing to save.');
    case 'storing':
      return l10n.t('Saving draft…');
    case 'stored':
      return l10n.t('Draft saved. It isn’t sent yet.');
    case 'failed':
      return l10n.t('Your draft can’t be saved.');
  }
}
