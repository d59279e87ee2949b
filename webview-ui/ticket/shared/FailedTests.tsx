import * as l10n from '@vscode/l10n';

/** The tests that failed, by name; nothing if none is known. */
export function FailedTests({ tests }: { readonly tests: readonly string[] }) {
  if (tests.length === 0) return null;
  return (
    <p class="wrap">
      <strong>{l10n.t('Failing tests:')}</strong> {tests.join(', ')}
    </p>
  );
}
