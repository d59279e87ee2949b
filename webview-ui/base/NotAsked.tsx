import * as l10n from '@vscode/l10n';
import type { NotAsked as Questions } from '../../src/domain/requirements/interview.ts';

/** Questions of an interview that weren't asked, each with the reason; nothing if there are none. */
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
      why: l10n.t('Left out: beyond the budget for follow-up questions'),
    })),
  ];
  if (rows.length === 0) return null;
  return (
    <section aria-label={l10n.t('Not asked')}>
      <h2>{l10n.t('Not asked')}</h2>
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
