import * as l10n from '@vscode/l10n';
import { Empty, type TicketProps } from '../shared/parts.tsx';

export function Plan({ state: { head } }: TicketProps) {
  return (
    <section aria-labelledby="about">
      <h2 id="about">{l10n.t('Description')}</h2>
      {head.description === '' ? (
        <Empty text={l10n.t('No description.')} />
      ) : (
        <div class="plain">{head.description}</div>
      )}
    </section>
  );
}
