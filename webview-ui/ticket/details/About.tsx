import * as l10n from '@vscode/l10n';
import { when } from '../../base/format.ts';
import { LongText, type TicketProps, type Tools, useLoaded } from '../shared/parts.tsx';

/** Facts that stand nowhere else on the page, because they are about the inside. */
export function About({ state: { head, error, hasFailures, stamp }, page }: Omit<TicketProps, 'canAct'>) {
  return (
    <>
      <dl class="facts">
        {head.facts.map(({ name, label, text, at, isCode }) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd class={isCode ? 'code wrap' : 'wrap'}>{text ?? when(at ?? 0)}</dd>
          </div>
        ))}
        {error && (
          <div>
            <dt>{l10n.t('Error code')}</dt>
            <dd class="code wrap">{error.code}</dd>
          </div>
        )}
      </dl>
      {error && error.diagnostics !== '' && (
        <>
          <h3>{l10n.t('Diagnostics')}</h3>
          <LongText label={l10n.t('Diagnostics')} text={error.diagnostics} />
        </>
      )}
      {hasFailures && <KeptChanges page={page} stamp={stamp} />}
    </>
  );
}

/** Nothing if no failed attempt left something. */
function KeptChanges({ page, stamp }: { readonly page: Tools; readonly stamp: string }) {
  const { value } = useLoaded(page, 'failures', {}, stamp);
  const kept = value?.failures.filter(({ ref }) => ref !== '') ?? [];
  if (kept.length === 0) return null;
  return (
    <>
      <h3>{l10n.t('Kept changes of failed attempts')}</h3>
      <dl>
        {kept.map(({ name, ref }) => (
          <div key={ref}>
            <dt class="quiet">{name}</dt>
            <dd class="code">{ref}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
