import * as l10n from '@vscode/l10n';
import type { Problem } from './drafts.ts';

/** Lists the problems that keep a document from being saved; each leads to its field. */
export function Problems({
  problems,
  onGo,
}: {
  readonly problems: readonly Problem[];
  readonly onGo: (path: string) => void;
}) {
  if (problems.length === 0) return null;
  return (
    <div class="problem" role="status">
      <p>{l10n.t('Correct these problems before saving:')}</p>
      <ul>
        {problems.slice(0, 8).map(({ path, kind, message }) => (
          <li key={`${path} ${message}`}>
            {path !== '' && (
              <button
                type="button"
                class="link"
                aria-label={l10n.t('Go to {0}', path)}
                onClick={() => onGo(path)}
              >
                {path}
              </button>
            )}
            {path !== '' && ': '}
            {problemText(kind, message)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function problemText(kind: Problem['kind'], message: string): string {
  switch (kind) {
    case 'empty':
      return l10n.t('This field is empty.');
    case 'none':
      return l10n.t('Add at least one item.');
    case 'tooLong':
      return l10n.t('This text is too long.');
    case 'other':
      return message;
  }
}
