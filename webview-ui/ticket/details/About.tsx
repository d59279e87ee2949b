import * as l10n from '@vscode/l10n';
import { Heading } from '../../base/headings.tsx';
import { Facts } from '../shared/Facts.tsx';
import { workName } from '../review/Evidence.tsx';
import { attemptName } from '../work/FailedAttempts.tsx';
import { LongText, type TicketProps, type Tools, useLoaded } from '../shared/parts.tsx';

/** Facts that stand nowhere else on the page, because they are about the inside. */
export function About({
  state: { head, error, hasFailures, beads, stamp },
  page,
}: Omit<TicketProps, 'canAct'>) {
  return (
    <>
      <dl class="facts">
        <Facts facts={head.facts.filter(({ isOfForge }) => isOfForge !== true)} />
        {error && (
          <div>
            <dt>{l10n.t('Error code')}</dt>
            <dd class="code wrap">{error.code}</dd>
          </div>
        )}
      </dl>
      {error && error.diagnostics !== '' && (
        <>
          <Heading>{l10n.t('Diagnostics')}</Heading>
          <LongText label={l10n.t('Diagnostics')} text={error.diagnostics} />
        </>
      )}
      {hasFailures && <KeptChanges page={page} stamp={stamp} />}
      {beads.length > 0 && <Commits page={page} stamp={stamp} />}
    </>
  );
}

/** Nothing if no failed attempt left something. */
function KeptChanges({ page, stamp }: { readonly page: Tools; readonly stamp: string }) {
  const { value } = useLoaded(page, 'failures', {}, stamp);
  const kept = value?.filter(({ ref }) => ref !== '') ?? [];
  if (kept.length === 0) return null;
  return (
    <Named
      title={l10n.t('Kept changes of failed attempts')}
      rows={kept.map((attempt) => [attemptName(attempt), attempt.ref] as const)}
    />
  );
}

/** Nothing before something is proved. */
function Commits({ page, stamp }: { readonly page: Tools; readonly stamp: string }) {
  const { value } = useLoaded(page, 'evidence', {}, stamp);
  if (!value || value.length === 0) return null;
  const rows = value.map(
    (proof) => [workName(proof), l10n.t('Commit {0}, tree {1}', proof.commit, proof.tree)] as const,
  );
  return <Named title={l10n.t('Proved commits')} rows={rows} />;
}

function Named({
  title,
  rows,
}: {
  readonly title: string;
  readonly rows: readonly (readonly [string, string])[];
}) {
  return (
    <>
      <Heading>{title}</Heading>
      <dl>
        {rows.map(([name, text]) => (
          <div key={`${name} ${text}`}>
            <dt class="quiet">{name}</dt>
            <dd class="code">{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
